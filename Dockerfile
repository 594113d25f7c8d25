# PRISM with Apertium and OCR: for one run, or as a server and a worker (docs/containers.md).
ARG BASE=debian:12.13-slim

FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-venv=3.11.* \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# Wheels of these sources, all but prism-train, and beside them what constraints.txt pins.
RUN python3 -m venv /opt/build && python3 -m venv /opt/prism \
 && /opt/build/bin/pip install --no-cache-dir -c constraints.txt hatchling \
 && /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation -w /tmp/wheel \
      . prism_core/building prism_core/cat prism_core/evaluation prism_core/fleet \
      prism_core/formats/old_office \
      prism_core/formats/pdf/flowing prism_core/translators/openai \
 && wheel=$(echo /tmp/wheel/prism_translate-*.whl) \
 && /opt/prism/bin/pip install --no-cache-dir -c constraints.txt --find-links /tmp/wheel \
      "${wheel}[cat,dictionary,firefox,lab,old-office,openai,pdf-word,postgres,prefect]" \
 && rm -rf /opt/prism/lib/python3.*/site-packages/pip*

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3=3.11.* ca-certificates=20* \
      apertium=3.8.* apertium-eng-spa=0.8.* \
      tesseract-ocr=5.3.* tesseract-ocr-eng=1:4.1.* tesseract-ocr-osd=1:4.1.* \
 && rm -rf /var/lib/apt/lists/*
# Whoever owns the archive: give their ids when the image is built, and they own what is written.
ARG UID=10001
ARG GID=10001
RUN groupadd --non-unique --gid "$GID" prism \
 && useradd --non-unique --uid "$UID" --gid "$GID" --no-log-init \
      --create-home --home-dir /var/lib/prism --shell /usr/sbin/nologin prism \
 && mkdir -p /var/lib/prism/.local/state/prism && chown -R "$UID:$GID" /var/lib/prism
COPY --from=build /opt/prism /opt/prism
COPY --chmod=755 scripts/with-secrets /usr/local/bin/with-secrets
COPY prefect.yaml automations.yaml /opt/prism/deploy/
ENV PATH=/opt/prism/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/var/lib/prism \
    PRISM_HOME=/opt/prism/deploy \
    ARROW_DEFAULT_MEMORY_POOL=system \
    DO_NOT_TRACK=1 \
    PREFECT_SERVER_ANALYTICS_ENABLED=false \
    PREFECT_LOGGING_TO_API_ENABLED=false
USER ${UID}:${GID}
WORKDIR /opt/prism/deploy
ENTRYPOINT ["with-secrets"]
CMD ["prism", "--help"]
