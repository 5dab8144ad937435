<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Secret;

/** One request as it goes to the service. Dumping it shows no key: that joins the headers only in headers(). */
final class Request
{
    /**
     * @param string                $url            absolute
     * @param array<string, string> $headers        without Authorization
     * @param string|null           $body           the bytes to send
     * @param float                 $timeoutSeconds for the whole exchange
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        private readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeoutSeconds,
        private readonly Secret $apiKey,
    ) {
    }

    /**
     * All headers, the one with the key included.
     *
     * @return array<string, string>
     */
    public function headers(): array
    {
        return ['Authorization' => 'Bearer ' . $this->apiKey->reveal()] + $this->headers;
    }
}
