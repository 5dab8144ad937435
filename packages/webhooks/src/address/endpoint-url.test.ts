import { ApiError } from "@beatmarket/foundation/errors.ts";
import { describe, expect, it } from "vitest";
import { parseEndpointUrl } from "./endpoint-url.ts";

const refusal = (text: string, allowPrivate = false): string => {
  try {
    parseEndpointUrl(text, { allowPrivate });
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.details}`;
    throw error;
  }
  return "accepted";
};

describe("an endpoint's url", () => {
  it.each([
    "https://example.com",
    "https://hooks.example.com/a/b?c=d",
    "https://example.com:443/",
    "https://example.com:8443/",
    "https://example.com:65535/",
    "https://bücher.example/",
    "https://93.184.216.34/",
    "https://[2606:2800:220:1::1]/",
  ])("is accepted: %s", (text) => {
    expect(parseEndpointUrl(text, { allowPrivate: false }).href).toBe(new URL(text).href);
  });

  it.each([
    ["", "not a URL"],
    ["example.com/hooks", "not a URL"],
    ["https://", "not a URL"],
    [`https://example.com/${"a".repeat(2048)}`, "at most 2048 characters"],
    ["http://example.com/", "must begin with https://"],
    ["ftp://example.com/", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["https://user:secret@example.com/", "user name or password"],
    ["https://user@example.com/", "user name or password"],
    ["https://example.com/#part", "fragment"],
    ["https://example.com:22/", "port 22"],
    ["https://example.com:80/", "port 80"],
    ["https://example.com:0/", "port 0"],
    ["https://example.com:1023/", "port 1023"],
    ["http://localhost:3000/", "inbox in the portal, or beatmarket-cli listen"],
    ["http://127.0.0.1:3000/hook", "inbox in the portal, or beatmarket-cli listen"],
    ["https://192.168.1.5/", "inbox in the portal, or beatmarket-cli listen"],
    ["http://example.com/", "must begin with https://."],
    ["https://localhost/", "inbox in the portal, or beatmarket-cli listen"],
    ["https://localhost/", "not a name on the public internet"],
    ["https://localhost./", "not a name on the public internet"],
    ["https://LOCALHOST:8443/", "not a name on the public internet"],
    ["https://a.localhost/", "not a name on the public internet"],
    ["https://intranet/", "not a name on the public internet"],
    ["https://printer.local/", "not a name on the public internet"],
    ["https://metadata.google.internal/", "not a name on the public internet"],
    ["https://router.home.arpa/", "not a name on the public internet"],
    ["https://127.0.0.1/", "is this machine itself"],
    ["https://169.254.169.254/", "where clouds keep their metadata"],
  ])("is refused: %s", (text, words) => {
    expect(refusal(text)).toMatch(/^400 The webhook url /);
    expect(refusal(text)).toContain(words);
  });

  it.each(["http://localhost:3000/", "http://127.0.0.1:80/", "https://192.168.1.5:22/", "http://receiver/"])(
    "is accepted if private addresses are allowed: %s",
    (text) => expect(refusal(text, true)).toBe("accepted"),
  );

  it.each(["ftp://localhost/", "http://user:secret@localhost/", "http://localhost/#part", "localhost:3000"])(
    "is refused even if private addresses are allowed: %s",
    (text) => expect(refusal(text, true)).toMatch(/^400 /),
  );
});
