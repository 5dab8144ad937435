/** The name of a package registry. */
export type RegistryName = "npm" | "PyPI" | "Maven Central" | "Go" | "crates.io" | "RubyGems" | "Packagist" | "Debian";

/** Packages that are installed together from one registry: by name, each with its version. */
export interface Tool {
  registry: RegistryName;
  packages: Readonly<Record<string, string>>;
}

/** Compiles the generated TypeScript clients. */
const typescript = { typescript: "5.9.3", "@types/node": "22.20.5" };
/** The HTTP server of a Rust receiver. */
const server = { axum: "0.8.9", tokio: "1.54.1", serde_json: "1.0.154" };

/**
 * Third-party tools, each with the last version that passed. A range of versions means that the tool never ran, because
 * its registry was unreachable.
 */
export const tools = {
  spectral: { registry: "npm", packages: { "@stoplight/spectral-cli": "6.16.3" } },
  schemathesis: { registry: "PyPI", packages: { schemathesis: "4.32.5" } },

  openapiGenerator: { registry: "Maven Central", packages: { "org.openapitools:openapi-generator-cli": "7.25.0" } },
  openapiGeneratorPython: {
    registry: "PyPI",
    packages: {
      mypy: "2.4.1",
      pydantic: "2.14.3",
      "python-dateutil": "2.9.0.post0",
      "typing-extensions": "4.16.0",
      urllib3: "2.8.0",
    },
  },
  typescript: { registry: "npm", packages: typescript },
  oapiCodegen: { registry: "Go", packages: { "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen": "v2.8.2" } },
  oapiRuntime: { registry: "Go", packages: { "github.com/oapi-codegen/runtime": "v1.8.0" } },
  openapiTypescript: {
    registry: "npm",
    packages: { "openapi-typescript": "7.13.0", "openapi-fetch": "0.17.0", ...typescript },
  },
  heyApi: { registry: "npm", packages: { "@hey-api/openapi-ts": "0.99.0", ...typescript } },
  openapiPythonClient: {
    registry: "PyPI",
    packages: { "openapi-python-client": "0.29.1", attrs: "26.1.0", httpx: "0.28.1", mypy: "2.4.1", ruff: "0.17.6" },
  },

  beancount: { registry: "PyPI", packages: { beancount: "3.2.3" } },

  kubernetesValidate: { registry: "PyPI", packages: { "kubernetes-validate": "1.37.0" } },
  helm: { registry: "Go", packages: { "helm.sh/helm/v4/cmd/helm": "v4.3.1" } },
  actionlint: { registry: "Go", packages: { "github.com/rhysd/actionlint/cmd/actionlint": "v1.7.12" } },
  checkov: { registry: "PyPI", packages: { checkov: "3.3.30" } },
  mcpPython: { registry: "PyPI", packages: { mcp: "2.3.0", httpx2: "2.16.2" } },
  fastMcp: { registry: "PyPI", packages: { fastmcp: "4.2.3" } },
  mcpConformance: { registry: "npm", packages: { "@modelcontextprotocol/conformance": "0.2.0-alpha.12" } },
  seccomp: { registry: "Debian", packages: { "python3-seccomp": "2.5" } },

  tusForJavascript: { registry: "npm", packages: { "tus-js-client": "4.3.1" } },
  tusForPython: { registry: "PyPI", packages: { tuspy: "1.1.0" } },

  veraPdf: { registry: "Maven Central", packages: { "org.verapdf.apps:greenfield-apps": "1.28.2" } },
  mustang: { registry: "Maven Central", packages: { "org.mustangproject:validator": "2.20.0" } },
  pypdf: { registry: "PyPI", packages: { pypdf: "7.1.0" } },
  joserfc: { registry: "PyPI", packages: { joserfc: "1.8.0" } },
  jose: { registry: "npm", packages: { jose: "6.2.17" } },
  sumdb: {
    registry: "Go",
    packages: {
      "golang.org/x/mod": "v0.43.0",
      "github.com/transparency-dev/merkle": "v0.0.2",
      "github.com/transparency-dev/formats": "v0.1.1",
      "filippo.io/torchwood": "v0.6.1",
    },
  },
  jsonld: { registry: "npm", packages: { jsonld: "9.0.0", "@digitalbazaar/odrl-context": "1.0.0" } },
  rdflib: { registry: "PyPI", packages: { rdflib: "7.6.0" } },

  deno: { registry: "npm", packages: { "@deno/linux-x64-glibc": "2.9.6" } },
  bun: { registry: "npm", packages: { "@oven/bun-linux-x64": "1.4.5" } },
  workerd: { registry: "npm", packages: { "@cloudflare/workerd-linux-64": "1.20261117.1", esbuild: "0.28.2" } },

  opentelemetryProto: { registry: "PyPI", packages: { "opentelemetry-proto": "1.45.2" } },
  prometheus: { registry: "Debian", packages: { prometheus: "2.42" } },

  webhook: { registry: "Debian", packages: { webhook: "2.8" } },
  webhooksForJavascript: { registry: "npm", packages: { standardwebhooks: "1.1.1", svix: "2.5.0" } },
  webhooksForPython: { registry: "PyPI", packages: { standardwebhooks: "1.1.0", svix: "2.9.1" } },
  webhooksForGo: {
    registry: "Go",
    packages: {
      "github.com/standard-webhooks/standard-webhooks/libraries": "v0.0.1",
      "github.com/svix/svix-webhooks": "v1.44.0",
    },
  },
  webhooksForJava: {
    registry: "Maven Central",
    packages: { "com.standardwebhooks:standardwebhooks": "1.2.0", "com.svix:svix": "1.99.1" },
  },
  standardwebhooksForRust: { registry: "crates.io", packages: { standardwebhooks: "1.0.1", ...server } },
  svixForRust: { registry: "crates.io", packages: { svix: "2.9.1", ...server } },
  standardwebhooksForRuby: { registry: "RubyGems", packages: { standardwebhooks: "~> 1.0", webrick: "~> 1.9" } },
  svixForRuby: { registry: "RubyGems", packages: { svix: ">= 1.0", webrick: "~> 1.9" } },
  standardwebhooksForPhp: { registry: "Packagist", packages: { "standard-webhooks/standard-webhooks": "^1.0" } },
  svixForPhp: { registry: "Packagist", packages: { "svix/svix": ">=1.0" } },
} as const satisfies Record<string, Tool>;
