import type { GeneratedFile } from "../emitter.ts";
import { comment, file } from "./text.ts";

/** The exception of a status. ServerException has null: it is the exception of all statuses from 500. */
interface StatusException {
  name: string;
  status: number | null;
  about: string;
}

const exceptions: StatusException[] = [
  {
    name: "InvalidRequestException",
    status: 400,
    about: "400, or another 4xx with the code `invalid_request`, such as 409: invalid, or a conflict. See details.",
  },
  { name: "AuthenticationException", status: 401, about: "401: the key is missing, wrong, expired or revoked." },
  {
    name: "PermissionDeniedException",
    status: 403,
    about: "403: the key may not make this call; details has the reason, such as a missing permission.",
  },
  {
    name: "NotFoundException",
    status: 404,
    about: "404: the resource does not exist, or this account may not see it.",
  },
  {
    name: "GoneException",
    status: 410,
    about:
      "410. For changes and events: the entries after a position are no longer kept; load an export, or begin the events without a position. For an archive: the order was refunded in full. For any other download: the link was refused, and so was the new one that the client requested.",
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

/** Exceptions without a response, which have only a message. */
const others: Record<string, { about: string; parent: string }> = {
  InvalidArgumentException: {
    about:
      "An invalid setting or argument, such as a missing key, an empty id or an unreadable file. Nothing was changed.",
    parent: "\\InvalidArgumentException",
  },
  SignatureVerificationException: {
    about:
      "A webhook request whose signature matches no secret, or whose time is outside the tolerance. Respond with 401.",
    parent: "\\RuntimeException",
  },
  ChecksumException: {
    about: "The bytes of a downloaded file differ from those that the service lists. The file was deleted.",
    parent: "\\RuntimeException",
  },
  APITimeoutException: {
    about: "No complete response within the timeout of one attempt; or an upload that is not ready in time.",
    parent: "APIConnectionException",
  },
};

/** Properties of a response's exception that are read from the response, in addition to the constructor's arguments. */
const responseFields: { name: string; type: string; from: string; text: string }[] = [
  {
    name: "requestId",
    type: "?string",
    from: "requestId",
    text: "Identifies the call in the service's request log; quote it when you report a problem. Null if absent.",
  },
  {
    name: "idempotencyKey",
    type: "?string",
    from: "idempotencyKey",
    text: "The Idempotency-Key of the request, whether you passed it or the client generated it. Null if the request had none.",
  },
  { name: "rateLimit", type: "?RateLimit", from: "rateLimit", text: "Null if the response has none." },
  {
    name: "retryAfter",
    type: "?int",
    from: "retryAfter()",
    text: "Seconds to wait before the next request; null if the response has none.",
  },
  {
    name: "contentType",
    type: "?string",
    from: "mediaType()",
    text: "Such as text/html, without parameters: a proxy may respond in place of the API. Null if absent.",
  },
  {
    name: "excerpt",
    type: "string",
    from: "excerpt()",
    text: "The first 200 characters of the body on one line; empty without a body.",
  },
];

const tag = (type: string, name: string, text: string) => ({ tag: "@param", type, name: `$${name}`, text });

/** The base class of all error responses. Its subclasses belong to statuses. */
const statusException = `${comment(
  [
    "An error response, or a response of an unknown form: then the status is 2xx and errorCode is null. getMessage() is one line for people; the properties are the fields of the response.",
  ],
  [],
  "",
)}class APIStatusException extends \\RuntimeException implements BeatMarketException
{
    /** How the message begins if the service responded, but not as documented. */
    public const UNKNOWN_FORM = 'The response has an unknown form';

${responseFields.map(({ name, type, text }) => `    /** ${text} */\n    public readonly ${type} $${name};\n`).join("\n")}
${comment(
  [],
  [
    tag("int", "status", "the HTTP status"),
    tag("string|null", "errorCode", "one of Value\\ErrorCode or a later one; null if the response has none"),
    tag("string", "errorMessage", "a short text"),
    tag("string|null", "details", "what is wrong and what to do; null if the response has none"),
  ],
  "    ",
)}    final public function __construct(
        public readonly int $status,
        public readonly ?string $errorCode,
        public readonly string $errorMessage,
        public readonly ?string $details,
        public readonly Response $response,
        ?\\Throwable $previous = null,
    ) {
${responseFields.map(({ name, from }) => `        $this->${name} = $response->${from};\n`).join("")}        $text = implode(' ', array_filter([$status, $errorCode])) . ': ' . implode(': ', array_filter([$errorMessage, $details]));
        parent::__construct($text . ($this->requestId === null ? '' : " (request {$this->requestId})"), $status, $previous);
    }
}
`;

/** The exception for a missing response. */
const connectionException = `${comment(
  ["No complete response: connection refused or cut off, or invalid certificate. getPrevious() has the cause."],
  [],
  "",
)}class APIConnectionException extends \\RuntimeException implements BeatMarketException
{
    /** The Idempotency-Key of the request, whether you passed it or the client generated it. Null if the request had none. */
    public ?string $idempotencyKey = null;

    /** @param bool $isRetryable false if a retry would fail too, for example with an invalid certificate */
    public function __construct(
        string $message,
        ?\\Throwable $previous = null,
        public readonly bool $isRetryable = true,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
`;

/** The exception for an upload that `wait()` does not return. */
const rejection = `${comment(["The service cannot use the file of an upload. getMessage() says why, as a sentence."], [], "")}final class UploadRejectedException extends \\RuntimeException implements BeatMarketException
{
    /** @internal */
    public function __construct(public readonly Upload $upload)
    {
        parent::__construct($upload->rejection ?? 'The file was rejected.');
    }
}
`;

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
  wholeFile("APIStatusException", ["BeatMarket\\RateLimit", "BeatMarket\\Response"], statusException),
  wholeFile("APIConnectionException", [], connectionException),
  wholeFile("UploadRejectedException", ["BeatMarket\\Model\\Upload"], rejection),
];

const exceptionFile = (name: string, about: string, head: string): GeneratedFile =>
  wholeFile(
    name,
    [],
    `${comment([about], [], "")}${head}
{
}
`,
  );

const wholeFile = (name: string, uses: string[], code: string): GeneratedFile => ({
  path: `php/src/Exception/${name}.php`,
  text: file("BeatMarket\\Exception", uses, code),
});

/** The exceptions by status, as lines of an array. */
export const byStatus = exceptions
  .filter(({ status }) => status !== null)
  .map(({ name, status }) => `        ${status} => ${name}::class,\n`);

export const statusExceptionClasses = exceptions
  .filter(({ status }) => status !== null)
  .map(({ name }) => `BeatMarket\\Exception\\${name}`);
