<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Secret;

/** One HTTP request. Dumps do not show the key: only headers() adds it. */
final class Request
{
    /**
     * @param string                $url            absolute
     * @param array<string, string> $headers        without Authorization
     * @param string|null           $body           the bytes to send
     * @param float                 $timeoutSeconds from connecting to the last byte of the response; of a download, between bytes
     * @param Download|null         $download       takes the body of a successful response
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        private readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeoutSeconds,
        private readonly Secret $apiKey,
        public readonly ?Download $download = null,
    ) {
    }

    /**
     * All headers, including Authorization.
     *
     * @return array<string, string>
     */
    public function headers(): array
    {
        return ['Authorization' => 'Bearer ' . $this->apiKey->reveal()] + ($this->download?->headers() ?? []) + $this->headers;
    }
}
