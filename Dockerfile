# syntax=docker/dockerfile:1
# One image for release, web and worker: `docker build -t stint .`; docker-compose.yml runs all three.

# Pinned, so that a build never changes by itself. Newer: `docker buildx imagetools inspect node:24-slim`.
FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci && npm cache clean --force
COPY src ./src
COPY workers ./workers
# The commit, which the processes show as part of their version: `--build-arg SOURCE_VERSION=$(git rev-parse HEAD)`.
ARG SOURCE_VERSION
RUN npm run build && npm prune --omit=dev

FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
COPY --from=built /app/node_modules ./node_modules
COPY package.json package-lock.json ./
COPY sql ./sql
COPY src ./src
COPY workers ./workers
COPY --from=built /app/built ./built
# Node compiles each file at each start, and each web process compresses style and scripts: here both are done. They are started with the flags
# that they will have, which are part of what is compiled, by the user that they will have, and stopped again.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN mkdir compiled && chown node compiled
# The image's own unprivileged user. Nothing below /app is written from here on: it runs with a read-only root.
USER node
RUN export DATABASE_URL=postgres://127.0.0.1:1/none SECRET_KEY=only-for-compiling-never-for-anything-else; \
  timeout 20 node --max-old-space-size=384 --max-semi-space-size=8 built/web.js; \
  timeout 20 node --max-old-space-size=256 --max-semi-space-size=4 built/worker.js; \
  test -n "$(ls compiled)"
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${new URL(process.env.BASE_URL || 'http://localhost').pathname.replace(/\\/$/, '')}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=384", "--max-semi-space-size=8", "built/web.js"]
