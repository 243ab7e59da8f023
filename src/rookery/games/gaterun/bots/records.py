"""The buffers of a search as one structure with named fields, for interpreted and for compiled code.

Interpreted kernels get a `NamedTuple` of lists, compiled ones a NumPy record with the same fields, and both read
`t.positions[ply]`. Compiled code passes a record as one pointer and knows every offset. It would pass a tuple of arrays
as seven words an array or more, which a recursive search pays for at every node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from rookery.engine.workspaces import Buffers

if TYPE_CHECKING:
    from collections.abc import Mapping

R = TypeVar("R")


def allocate(kind: type[R], shapes: Mapping[str, tuple[int, ...]], *, compiled: bool) -> tuple[R, Any]:
    """Integer arrays of one dimension or two, all zero, as a NamedTuple of the given kind and as what kernels take.

    Both share their memory. Reading a field of the NamedTuple is much faster in Python than reading one of a record.
    """
    if not compiled:
        buffers = Buffers(compiled=False)
        arrays = {
            name: buffers.ints(shape[-1], rows=shape[0] if len(shape) > 1 else 0) for name, shape in shapes.items()
        }
        fields = kind(**arrays)
        return fields, fields
    import numpy

    layout = numpy.dtype([(name, numpy.int64, shape) for name, shape in shapes.items()])
    words = numpy.full(layout.itemsize // 8, 0, numpy.int64)  # written, so that every page is mapped; see Buffers
    record = words.view(layout)[0]
    return kind(**{name: record[name] for name in shapes}), record
