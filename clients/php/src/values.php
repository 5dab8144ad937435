<?php

declare(strict_types=1);

// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses -- each is a few lines, which a file of its own would double.
// What calls take and return in addition to models and to what is generated.

namespace BeatMarket;

/** The default of each field of an update: the field is not sent, whereas null clears it. */
enum Absent
{
    case Field;
}

/** One attempt of a request, as it begins: what onRequest gets. */
class RequestInfo
{
    /**
     * @internal
     *
     * @param string                $path           without the query
     * @param string|null           $operation      of the API, such as listBeats; null for request() and for links of files
     * @param int                   $attempt        from 1
     * @param array<string, string> $requestHeaders by lower-case name; of the key, only the end is shown
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?string $operation,
        public readonly int $attempt,
        public readonly array $requestHeaders,
    ) {
    }
}

/** One attempt of a request, when it has ended: what onResponse gets. */
final class ResponseInfo extends RequestInfo
{
    /**
     * @internal
     *
     * @param int|null        $status     null without a response
     * @param float           $durationMs until the last byte of the body
     * @param string|null     $requestId  the header X-Request-Id
     * @param \Throwable|null $error      what the attempt failed with: an error response, or no complete one; null if it succeeded
     */
    public function __construct(
        RequestInfo $request,
        public readonly ?int $status,
        public readonly float $durationMs,
        public readonly ?string $requestId,
        public readonly ?\Throwable $error,
    ) {
        parent::__construct($request->method, $request->path, $request->operation, $request->attempt, $request->requestHeaders);
    }
}

/**
 * A page of a feed, in the order of commits.
 *
 * @property-read int $next the position to go on from
 */
abstract class FeedPage extends Model
{
    public readonly ?Response $response;

    /** @internal use fromArray() */
    public function __construct(array $wire, ?Response $response = null)
    {
        parent::__construct($wire, $response);
        $this->response = $response;
    }
}
