<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Secret;

/** One HTTP request. Dumps do not show the key: only headers() adds it. */
final class Request
{
    /**
     * @param string                $url            absolute
     * @param array<string, string> $plainHeaders   without Authorization
     * @param string|null           $body           the bytes to send
     * @param float                 $timeoutSeconds from connecting to the last byte of the response; for a download, between bytes
     * @param Secret|null           $apiKey         null for a signed link, which needs none
     * @param Download|null         $download       takes the body of a successful response
     * @param string|null           $operation      the operationId; null for signed links, upload parts, and requests by path
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $plainHeaders,
        public readonly ?string $body,
        public readonly float $timeoutSeconds,
        public readonly ?Secret $apiKey,
        public readonly ?Download $download = null,
        public readonly ?string $operation = null,
    ) {
    }

    /** @return array<string, string> all headers, including Authorization if the request has a key */
    public function headers(): array
    {
        $authorization = $this->apiKey === null ? [] : ['Authorization' => 'Bearer ' . $this->apiKey->reveal()];

        return $authorization + ($this->download?->headers() ?? []) + $this->plainHeaders;
    }

    /** The Idempotency-Key; null if the request has none. */
    public function idempotencyKey(): ?string
    {
        return $this->method === 'GET' ? null : array_change_key_case($this->plainHeaders)['idempotency-key'] ?? null;
    }

    /** Whether a response with this status is a success. For a link, a redirect is one. */
    public function takes(int $status): bool
    {
        return $status >= 200 && $status < ($this->apiKey === null ? 400 : 300);
    }

    /** The URL for logs and messages: without the key, and without the signature of a link. */
    public function shownUrl(): string
    {
        return $this->apiKey?->redact($this->url) ?? explode('?', $this->url, 2)[0];
    }
}
