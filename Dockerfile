# The arcade in a container: one stage builds the wheel, the other installs it, compiles the games and runs as a user
# without rights. docker build -t rookery . && docker run -p 8067:8067 -v rookery:/data rookery

FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN PIP_CONSTRAINT=/src/constraints.txt pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
# Machine code is compiled here, so that nobody waits for it, and for any processor of this kind (generic), because an
# image runs on other machines than the one it is built on.
ENV PATH=/opt/rookery/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic \
    ROOKERY_CACHE=/var/cache/rookery \
    ROOKERY_DATA=/data
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin rookery \
    && mkdir /data /var/cache/rookery \
    && chown rookery:rookery /data /var/cache/rookery
# Numba compiles anew what has another time than it had, and a registry cuts times to whole seconds: they are whole here.
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    --mount=type=bind,from=build,source=/src/constraints.txt,target=/constraints.txt \
    python -m venv /opt/rookery \
    && set -- /wheels/*.whl \
    && /opt/rookery/bin/pip install --no-cache-dir --constraint /constraints.txt "$1[web,postgres]" \
    && find /opt/rookery -name '*.py' -exec touch --date=@1000000000 {} + \
    && /opt/rookery/bin/python -m compileall -q /opt/rookery/lib
USER 10001:10001
RUN rookery warm && rookery doctor
VOLUME /data
EXPOSE 8067
HEALTHCHECK --interval=30s --timeout=15s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8067/healthz', timeout=12)"]
ENTRYPOINT ["rookery"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8067", "--no-browser"]
