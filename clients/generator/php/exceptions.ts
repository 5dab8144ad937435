import type { GeneratedFile } from "../emitter.ts";
import { comment, file } from "./text.ts";

/** An exception of a status; of all from 500 on, where there is none. */
interface StatusException {
  name: string;
  status: number | null;
  about: string;
}

const exceptions: StatusException[] = [
  {
    name: "InvalidRequestException",
    status: 400,
    about: "400, 405, 406, 409, 413 or 415: the request is invalid or conflicts with the current state. See details.",
  },
  { name: "AuthenticationException", status: 401, about: "401: the key is missing, wrong, expired or revoked." },
  { name: "PermissionDeniedException", status: 403, about: "403: the key lacks the permission that details names." },
  {
    name: "NotFoundException",
    status: 404,
    about: "404: the resource does not exist, or this account may not see it.",
  },
  {
    name: "GoneException",
    status: 410,
    about:
      "410: what follows this position is no longer kept: take an export, and continue from its position. Of an upload: bytes that had arrived are lost, so upload the file again. Of a link to a file of an order: it expired, or was revoked by a refund.",
  },
  {
    name: "PreconditionFailedException",
    status: 412,
    about: "412: the beat has changed since the state that ifMatch names. Get it, and decide again.",
  },
  {
    name: "RateLimitException",
    status: 429,
    about: "429: rate limit exceeded. retryAfter has the seconds to wait.",
  },
  { name: "ServerException", status: null, about: "500 and above: the service failed." },
];

/** Those of what is no response, which have nothing but a message. */
const others: Record<string, { about: string; parent: string }> = {
  InvalidArgumentException: {
    about:
      "An invalid setting or argument, such as a missing key, an empty id or an unreadable file. Nothing was changed.",
    parent: "\\InvalidArgumentException",
  },
  SignatureVerificationException: {
    about: "A webhook request whose signature matches none of the secrets. Respond with 401 and ignore the request.",
    parent: "\\RuntimeException",
  },
  ChecksumException: {
    about: "A file arrived with other bytes than the service lists. What arrived was deleted.",
    parent: "\\RuntimeException",
  },
  APITimeoutException: {
    about: "No complete response within the timeout of one attempt; or an upload that is not ready in time.",
    parent: "APIConnectionException",
  },
};

/** All but those with more than a message and the fields of a response. */
export const exceptionFiles = (): GeneratedFile[] => [
  exceptionFile(
    "BeatMarketException",
    "The interface of all exceptions of this library.",
    "interface BeatMarketException extends \\Throwable",
  ),
  ...Object.entries(others).map(([name, { about, parent }]) =>
    exceptionFile(
      name,
      about,
      `final class ${name} extends ${parent}${parent.startsWith("\\") ? " implements BeatMarketException" : ""}`,
    ),
  ),
  ...exceptions.map(({ name, about }) => exceptionFile(name, about, `final class ${name} extends APIStatusException`)),
];

const exceptionFile = (name: string, about: string, head: string): GeneratedFile => ({
  path: `php/src/Exception/${name}.php`,
  text: file("BeatMarket\\Exception", [], `${comment([about], [], "")}${head}\n{\n}\n`),
});

/** By status, as lines of an array. */
export const byStatus = exceptions
  .filter(({ status }) => status !== null)
  .map(({ name, status }) => `        ${status} => ${name}::class,\n`);

export const statusExceptionClasses = exceptions
  .filter(({ status }) => status !== null)
  .map(({ name }) => `BeatMarket\\Exception\\${name}`);
