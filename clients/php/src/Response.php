<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\RetryAfter;

/** An answer as it came: each page, each single result and each APIStatusException carries its own. */
final class Response
{
    /** Names the call in the service's request log; quote it when you report a problem. Null when absent. */
    public readonly ?string $requestId;

    /** Null when the answer has none, as for keys without limits. */
    public readonly ?RateLimit $rateLimit;

    /** The decoded JSON, objects as arrays, the envelope included; null when the body is no JSON. */
    public readonly mixed $body;

    /**
     * @param int                   $status  the HTTP status
     * @param array<string, string> $headers by lower-case name; repeated ones joined with ", "
     * @param string                $rawBody the bytes as they came
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $rawBody,
    ) {
        $this->body = json_decode($rawBody, true);
        $this->requestId = $headers['x-request-id'] ?? null;
        $limit = $this->wholeNumber('x-ratelimit-limit');
        $remaining = $this->wholeNumber('x-ratelimit-remaining');
        $reset = $this->wholeNumber('x-ratelimit-reset');
        $this->rateLimit = $limit === null || $remaining === null || $reset === null
            ? null
            : new RateLimit($limit, $remaining, $reset, RetryAfter::seconds($this, time()));
    }

    /** A header's value; its name in any case. Null when absent. */
    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    private function wholeNumber(string $name): ?int
    {
        $value = $this->headers[$name] ?? '';

        return ctype_digit($value) && strlen($value) < 19 ? (int) $value : null;
    }
}
