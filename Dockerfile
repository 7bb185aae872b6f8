# What both stages begin with. A tag can be moved, a digest cannot: a release is built with
# --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…, which .github/workflows/release.yml looks up and records.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS root
COPY deploy/container/root.sh /
RUN /root.sh /image && mkdir /image/data && chown 1000:1000 /image/data

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY clients/typescript/src ./clients/typescript/src
COPY deploy/container/modules.sh ./
RUN npm run build \
  && npm run --silent sbom > sbom.cdx.json \
  && npm prune --omit=dev --no-audit --no-fund \
  && ./modules.sh node_modules

# No shell and no package manager: Node.js, the libraries that it links to, and the service.
FROM scratch
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Forge" \
  org.opencontainers.image.description="A document-grounded project copilot as a headless HTTP/JSON service" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=root /image /
# an archive that is imported may be larger than the memory that /tmp would take: it goes to the volume, too
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data TMPDIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY migrations ./migrations
COPY knowledge ./knowledge
COPY openapi ./openapi
COPY inspect ./inspect
COPY docs/guides ./docs/guides
# by number, so that an orchestrator can tell that it is not root
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node.js is the first process: the service handles SIGTERM itself, and its children are waited for by the process that forked them
CMD ["node", "dist/src/main.js"]
