// The geometry of a board: where cells and edges are, and which of them a point hits. A place is a cell or an edge, known
// by its key: "2,3" is a cell by row and column, "2,3|2,4" the edge between two cells, the smaller cell first.

import { SIZE } from "./draw.js";

/** @typedef {"up" | "right" | "down" | "left"} Way */

const FINGER = 24;

export class Geometry {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {boolean} edges
   * @param {boolean} turned by half a turn: the last row is seen at the top
   */
  constructor(rows, cols, edges, turned = false) {
    this.rows = rows;
    this.cols = cols;
    this.edges = edges;
    this.turned = turned;
    this.gap = edges ? 26 : 8;
    this.pitch = SIZE + this.gap;
    this.width = cols * this.pitch - this.gap;
    this.height = rows * this.pitch - this.gap;
  }

  /** @param {[number, number][]} spots */
  key(spots) {
    const [first, second] = spots;
    if (!second) return `${first[0]},${first[1]}`;
    const ordered = first[0] < second[0] || (first[0] === second[0] && first[1] < second[1]);
    return ordered ? `${first}|${second}` : `${second}|${first}`;
  }

  /**
   * @param {string} key
   * @returns {[number, number][]}
   */
  spots(key) {
    return key.split("|").map(spot => /** @type {[number, number]} */ (spot.split(",").map(Number)));
  }

  /** @param {string} key */
  index(key) {
    const [[row, col]] = this.spots(key);
    return row * this.cols + col;
  }

  /**
   * Where a cell is seen; as half a turn undoes itself, also which cell is seen there.
   * @param {number[]} spot
   * @returns {[number, number]}
   */
  seen([row, col]) {
    return this.turned ? [this.rows - 1 - row, this.cols - 1 - col] : [row, col];
  }

  /**
   * A direction on the board as a direction on the screen, and the other way round.
   * @param {number[]} way
   */
  towards([down, right]) {
    return this.turned ? [-down, -right] : [down, right];
  }

  /** @param {string} key */
  box(key) {
    const spots = this.spots(key).map(spot => this.seen(spot));
    const [[row, col], other] = this.turned ? spots.reverse() : spots;
    const [x, y] = [col * this.pitch, row * this.pitch];
    if (!other) return { x, y, width: SIZE, height: SIZE };
    const thick = 0.6 * this.gap;
    const spare = (this.gap - thick) / 2;
    const long = SIZE + 0.5 * this.gap;
    if (other[0] === row) return { x: x + SIZE + spare, y: y - 0.25 * this.gap, width: thick, height: long };
    return { x: x - 0.25 * this.gap, y: y + SIZE + spare, width: long, height: thick };
  }

  /** @param {string} key */
  centre(key) {
    const { x, y, width, height } = this.box(key);
    return [x + width / 2, y + height / 2];
  }

  /**
   * The place at a point in drawing units; `units` is the number of units per pixel, `steps` tells whether a step onto a
   * cell is legal: all of such a cell is for the step, so its edges are hit from the gap and from the cells beyond. Where
   * cells are smaller than a finger, cells and edges are hit from a finger's width away.
   * @param {number} x
   * @param {number} y
   * @param {number} units
   * @param {(cell: string) => boolean} steps
   */
  near(x, y, units, steps) {
    const slack = Math.max(this.gap, 10 * units);
    if (x < -slack || y < -slack || x > this.width + slack || y > this.height + slack) return null;
    const col = Math.max(0, Math.min(this.cols - 1, Math.floor((x + this.gap / 2) / this.pitch)));
    const row = Math.max(0, Math.min(this.rows - 1, Math.floor((y + this.gap / 2) / this.pitch)));
    const cell = String(this.seen([row, col]));
    if (!this.edges) return steps(cell) ? cell : (this.#stepNear(x, y, FINGER * units, steps) ?? cell);
    const [dx, dy] = [x - col * this.pitch - SIZE / 2, y - row * this.pitch - SIZE / 2];
    if (steps(cell) && Math.max(Math.abs(dx), Math.abs(dy)) <= SIZE / 2) return cell;
    const half = this.pitch / 2;
    const sides = [
      [row, col + 1, half - dx],
      [row, col - 1, half + dx],
      [row + 1, col, half - dy],
      [row - 1, col, half + dy],
    ];
    const [toRow, toCol, away] = sides
      .filter(([r, c]) => r >= 0 && c >= 0 && r < this.rows && c < this.cols)
      .sort((a, b) => a[2] - b[2])[0] ?? [0, 0, Infinity];
    return away <= Math.max(0.34 * this.pitch, FINGER * units)
      ? this.key([this.seen([row, col]), this.seen([toRow, toCol])])
      : cell;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} reach
   * @param {(cell: string) => boolean} steps
   */
  #stepNear(x, y, reach, steps) {
    const found = [];
    for (let row = Math.ceil((y - reach) / this.pitch - 0.5); row * this.pitch + SIZE / 2 <= y + reach; row += 1) {
      for (let col = Math.ceil((x - reach) / this.pitch - 0.5); col * this.pitch + SIZE / 2 <= x + reach; col += 1) {
        const away = Math.hypot(x - col * this.pitch - SIZE / 2, y - row * this.pitch - SIZE / 2);
        const cell = String(this.seen([row, col]));
        if (away <= reach && steps(cell)) found.push([away, cell]);
      }
    }
    return found.sort((one, other) => one[0] - other[0])[0]?.[1];
  }

  /**
   * The next place in a direction, by half steps if there are edges; the same place at the end of the board.
   * @param {string} key
   * @param {number[]} direction
   */
  beside(key, direction) {
    const [down, right] = this.towards(direction);
    const spots = this.spots(key);
    if (!this.edges) {
      const [row, col] = [spots[0][0] + down, spots[0][1] + right];
      return row < 0 || col < 0 || row >= this.rows || col >= this.cols ? key : `${row},${col}`;
    }
    const other = spots[1] ?? spots[0];
    let [row, col] = [spots[0][0] + other[0] + down, spots[0][1] + other[1] + right];
    if (row % 2 && col % 2) [row, col] = [row + down, col + right];
    if (row < 0 || col < 0 || row > 2 * this.rows - 2 || col > 2 * this.cols - 2) return key;
    const [top, left] = [Math.floor(row / 2), Math.floor(col / 2)];
    if (row % 2) return `${top},${left}|${top + 1},${left}`;
    return col % 2 ? `${top},${left}|${top},${left + 1}` : `${top},${left}`;
  }
}
