# Remand as npm would publish it, run by a user without rights: docs/install.md
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN mkdir /packed && npm pack --pack-destination /packed

FROM node:24-alpine
WORKDIR /app
COPY --from=build /packed /packed
RUN npm install --omit=dev --no-audit --no-fund /packed/*.tgz && rm -rf /packed /root/.npm && mkdir /data && chown node /data
USER node
WORKDIR /data
VOLUME /data
ENV HOST=0.0.0.0
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8787}/remand/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/remand/bin/remand.js"]
CMD ["serve"]
