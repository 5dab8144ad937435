<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Secret;

/** One request as it goes to the service. Dumping it shows no key: that joins the headers only in headers(). */
final class Request
{
    /** @var array<string, string> */
    private readonly array $headers;

    /**
     * @param string                $url            absolute
     * @param array<string, string> $headers        without Authorization
     * @param string|null           $body           the bytes to send
     * @param float                 $timeoutSeconds for the whole exchange
     *
     * @throws InvalidArgumentException when a method or header could not be sent as it is
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        array $headers,
        public readonly ?string $body,
        public readonly float $timeoutSeconds,
        private readonly Secret $apiKey,
    ) {
        if (preg_match('/^[A-Z]+$/D', $method) !== 1) {
            throw new InvalidArgumentException('The method must be an upper-case word such as GET.');
        }
        foreach ($headers as $name => $value) {
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1) {
                throw new InvalidArgumentException('A header has an impossible name.');
            }
            if (preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
        $this->headers = $headers;
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
