import { invalidRequest } from "@beatmarket/foundation/errors.ts";

/**
 * Validates an http or https URL. Returns the text unchanged if it is a URI (RFC 3986), otherwise as `URL` writes it,
 * with the remaining forbidden characters encoded.
 */
export function readWebAddress(name: string, text: string, maxLength: number): string {
  const url = /^https?:\/\/[^/?#\s\\]/i.test(text) ? URL.parse(text) : null;
  if (url === null)
    throw invalidRequest(`The ${name} field must be an http or https URL such as https://example.com.`, name);
  if (asUri(text) === text) return text;
  const uri = asUri(url.href);
  if (uri.length > maxLength)
    throw invalidRequest(
      `The ${name} field may have at most ${maxLength} characters; encoded as a URI it has ${uri.length}.`,
      name,
    );
  return uri;
}

/**
 * Encodes characters that a browser accepts in a URL but a URI must not have, such as brackets, stray percent signs and
 * a second #.
 */
function asUri(address: string): string {
  const [, authority = "", rest = ""] = /^([^/]*\/\/[^/?#]*)(.*)$/s.exec(address) ?? [];
  const [pathAndQuery = "", ...fragment] = rest.split("#");
  return (
    authority.replace(notInAuthority, encodeURIComponent) +
    pathAndQuery.replace(notInPath, encodeURIComponent) +
    (fragment.length === 0 ? "" : `#${fragment.join("%23").replace(notInPath, encodeURIComponent)}`)
  );
}

const notInPath = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_!$%&'()*+,./:;=?@~-]/gu;
const notInAuthority = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_!$%&'()*+,./:;=@~[\]-]/gu;
