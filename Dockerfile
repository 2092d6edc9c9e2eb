# One image for every process of the platform; docker-compose.yml says which runs what.
ARG PYTHON=python:3.13-slim

FROM ${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements/base.txt requirements/build.txt requirements/run.txt requirements/
# All packages with their hashes from the lock; source packages are built with the locked tools.
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --require-hashes -r requirements/build.txt \
 && /opt/build/bin/pip wheel --wheel-dir /wheels --no-build-isolation --require-hashes -r requirements/run.txt
COPY pyproject.toml LICENSE *.md ./
COPY scripts/compile_engine.py scripts/
COPY docs docs
COPY benchmarks/results benchmarks/results
COPY engine engine
COPY sandbox sandbox
COPY bots bots
COPY platform platform
RUN /opt/build/bin/pip wheel --wheel-dir /wheels --no-build-isolation --no-deps . \
 && python -m venv --without-pip /opt/gangland \
 && /opt/build/bin/pip --python /opt/gangland/bin/python install --no-index --no-deps /wheels/*.whl

FROM ${PYTHON}
LABEL org.opencontainers.image.title="Gangland" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# bubblewrap is the jail; package managers are removed.
# hadolint ignore=DL3008  # Debian removes a version with its next security update, which would break the build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends bubblewrap \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && find /usr -xdev -depth \( -path '*-packages/pip*' -o -path '*/ensurepip*' -o -path '*/python-wheels*' -o -path '*/bin/pip*' \) -delete
COPY --from=build /opt/gangland /opt/gangland
COPY --from=build /wheels/gangland-*.whl /opt/gangland/share/gangland/download/
ENV PATH=/opt/gangland/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp XDG_DATA_HOME=/tmp
# The jail's Python is built here, as root, so that the worker can read but not change it.
ENV GANGLAND_RUNTIME_DIR=/var/lib/gangland
RUN python -c "from gangland_sandbox.runtime import prepare, prepare_numeric; prepare(); prepare_numeric()"
# A number without an entry in /etc/passwd.
USER 10001:10001
WORKDIR /tmp
EXPOSE 8000
# docker-compose.yml defines the health check of each process.
CMD ["gangland", "--help"]
