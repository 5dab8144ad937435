import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { caFileForCallers, caFilePath } from "./ca-file.ts";

const elsewhere = resolve("..", "tls/ca.pem");

describe("the path of the CA's certificate", () => {
  test.each([
    [".data", ".data/tls/ca.pem"],
    ["var/beats", "var/beats/tls/ca.pem"],
    ["..data", "..data/tls/ca.pem"],
    [".", "tls/ca.pem"],
    ["..", elsewhere],
    ["/var/lib/beatmarket", "/var/lib/beatmarket/tls/ca.pem"],
  ])("with DATA_DIR=%s is %s", (dataDir, path) => {
    expect(caFilePath(resolve(dataDir))).toBe(path);
  });

  const addresses: [host: string, publicUrl: string, path: string][] = [
    ["127.0.0.1", "https://localhost:8443", "/srv/beats/tls/ca.pem"],
    ["::1", "https://[::1]:8443", "/srv/beats/tls/ca.pem"],
    ["localhost", "https://beats.localhost", "/srv/beats/tls/ca.pem"],
    ["0.0.0.0", "https://localhost:8443", "ca.pem"],
    ["127.0.0.1", "https://beats.example", "ca.pem"],
    ["127.0.0.1", "https://127.0.0.1.example", "ca.pem"],
  ];

  test.each(addresses)("for callers with HOST=%s and PUBLIC_URL=%s is %s", (host, publicUrl, path) => {
    expect(caFileForCallers({ dataDir: "/srv/beats", host, publicUrl })).toBe(path);
  });

  test.each(addresses)(
    "below the working directory is relative, also with HOST=%s and PUBLIC_URL=%s",
    (host, publicUrl) => {
      expect(caFileForCallers({ dataDir: resolve(".data"), host, publicUrl })).toBe(".data/tls/ca.pem");
    },
  );
});
