# One image for every role: `serve` (the default), `worker`, `migrate`, and the other commands.
# Pin the base image: docker build --build-arg NODE_IMAGE=node:26-slim@sha256:… (docs/deploying.md, Docker Compose).
ARG NODE_IMAGE=node:26-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
# Builds the portal, and keeps the files of a release. Installs exactly the packages of package-lock.json, with their checksums,
# but not the packages with Node (the image has it) and PostgreSQL (the database runs outside of the image).
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund \
  && node scripts/release.mjs --stage /app --image \
  && cd /app && npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /app /app
RUN mkdir -p /data /objects node_modules/.cache && chown node:node /data /objects node_modules/.cache
USER node
# Fills the compile cache once, for all containers, and for the threads of a server too.
RUN node scripts/node/fill-compile-cache.mjs >/dev/null
VOLUME /data
# The proxy in front ends TLS and must set X-Forwarded-Proto.
ENV HOST=0.0.0.0 PORT=8443 DATA_DIR=/data TLS=off DEMO=off
EXPOSE 8443
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8443/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/src/main.ts"]
CMD ["serve", "--no-worker"]
