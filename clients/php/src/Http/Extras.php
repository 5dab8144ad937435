<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Client;
use BeatMarket\Exception\InvalidArgumentException;

/**
 * The headers of requests, without the key, and what a caller adds to requests beyond the arguments of their methods.
 *
 * @internal
 */
final class Extras
{
    private const USER_AGENT = 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION;
    private const OWN_HEADERS = '/^(accept|accept-encoding|authorization|connection|content-(encoding|length|type)|expect|host'
        . '|idempotency-key|if-match|if-range|last-event-id|range|te|transfer-encoding|tus-.*|upload-.*|user-agent|x-api-key)$/Di';

    public readonly string $userAgent;

    /** @var array<string, string> of a request without a body */
    private readonly array $plain;

    /**
     * @param array<string, string> $headers sent with each request to the API
     * @param array<string, mixed>  $query   fields of each query
     * @param array<string, mixed>  $body    fields of each JSON body
     *
     * @throws InvalidArgumentException if one is invalid, or a header one that the client sets itself
     */
    public function __construct(
        private readonly array $headers,
        private readonly ?string $suffix = null,
        private readonly array $query = [],
        private readonly array $body = [],
    ) {
        if ($suffix !== null && preg_match('/^[\x21-\x7E]+( [\x21-\x7E]+)*$/D', $suffix) !== 1) {
            throw new InvalidArgumentException('The userAgentSuffix must be like my-shop/1.2, on one line.');
        }
        $this->userAgent = self::USER_AGENT . ($suffix === null ? '' : " {$suffix}");
        $this->plain = ['Accept' => 'application/json', 'User-Agent' => $this->userAgent] + $headers;
        foreach (array_keys($headers) as $name) {
            if (preg_match(self::OWN_HEADERS, (string) $name) === 1) {
                throw new InvalidArgumentException(
                    "The client sets the header {$name} itself: use the argument for it, or send it with request().",
                );
            }
        }
        self::check($headers);
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, mixed>  $query
     * @param array<string, mixed>  $body
     */
    public function with(array $headers, array $query, array $body): self
    {
        new self($headers); // Refuses them by the names that the caller wrote.
        $merged = array_change_key_case($headers) + array_change_key_case($this->headers);

        return new self($merged, $this->suffix, $query + $this->query, $body + $this->body);
    }

    /**
     * The headers of a request.
     *
     * @param array<string, string> $given override the library's
     *
     * @return array<string, string>
     *
     * @throws InvalidArgumentException if one is impossible, or is the key's
     */
    public function headers(string $method, bool $hasBody, array $given): array
    {
        if ($method === 'GET' && !$hasBody && $given === []) {
            return $this->plain;
        }
        self::check($given);
        $own = $this->plain;
        if ($hasBody) {
            $own['Content-Type'] = 'application/json';
        }
        if (in_array($method, ['POST', 'PATCH', 'DELETE'], true)) {
            $own['Idempotency-Key'] = self::uuid(); // Shared by all attempts, so that a retry is safe.
        }
        $names = array_change_key_case($given);

        return array_filter($own, static fn (string $name): bool => !isset($names[strtolower($name)]), ARRAY_FILTER_USE_KEY) + $given;
    }

    /**
     * The address of a call with what the caller adds to the query; a next page has it already.
     *
     * @throws InvalidArgumentException if the call sends such a field itself
     */
    public function url(string $url, bool $isNextPage = false): string
    {
        if ($this->query === []) {
            return $url;
        }
        $missing = array_diff_key($this->query, self::namesIn($url));
        $isNextPage || self::refuse('query', array_diff_key($this->query, $missing));

        return BaseUrl::with($url, $missing);
    }

    /**
     * The body of a call, with what the caller adds.
     *
     * @throws InvalidArgumentException if it is not an object, or has such a field
     */
    public function body(mixed $own): mixed
    {
        if ($this->body === []) {
            return $own;
        }
        if (!Connection::isObject($own) && $own !== []) {
            throw new InvalidArgumentException('This call has no JSON object to add ' . implode(', ', array_keys($this->body)) . ' to.');
        }

        self::refuse('body', array_intersect_key($this->body, (array) $own));

        return (array) $own + $this->body;
    }

    /** @param array<string, mixed> $doubled fields that a call sends itself */
    private static function refuse(string $what, array $doubled): void
    {
        $name = array_key_first($doubled);
        if ($name !== null) {
            throw new InvalidArgumentException("This call sends {$name} itself: leave out its argument, or {$name} in {$what}.");
        }
    }

    /** @return array<string, true> */
    private static function namesIn(string $url): array
    {
        $names = [];
        foreach (array_filter(explode('&', explode('?', $url, 2)[1] ?? '')) as $pair) {
            $names[rawurldecode(explode('=', $pair, 2)[0])] = true;
        }

        return $names;
    }

    /**
     * @param array<string, string> $given
     *
     * @throws InvalidArgumentException if one is impossible, or is the key's
     */
    private static function check(array $given): void
    {
        foreach ($given as $name => $value) {
            $name = (string) $name;
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1 || strcasecmp($name, 'Authorization') === 0) {
                throw new InvalidArgumentException('A header has no name, an impossible one, or that of the key.');
            }
            if (!is_string($value) || preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
    }

    private static function uuid(): string
    {
        $hex = bin2hex(random_bytes(16));
        $hex[12] = '4';
        $hex[16] = '89ab'[hexdec($hex[16]) & 3];

        return implode('-', [substr($hex, 0, 8), substr($hex, 8, 4), substr($hex, 12, 4), substr($hex, 16, 4), substr($hex, 20)]);
    }
}
