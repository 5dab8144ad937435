<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/**
 * What a caller adds to requests beyond the arguments of their methods.
 *
 * @internal
 */
final class Extras
{
    private const OWN_HEADERS = '/^(accept|accept-encoding|authorization|connection|content-(encoding|length|type)|expect|host'
        . '|idempotency-key|if-match|if-range|last-event-id|range|te|transfer-encoding|tus-.*|upload-.*|user-agent|x-api-key)$/Di';

    public readonly string $userAgent;

    /**
     * @param array<string, string> $headers sent with each request to the API
     * @param array<string, mixed>  $query   fields of each query
     * @param array<string, mixed>  $body    fields of each JSON body
     *
     * @throws InvalidArgumentException if one is invalid, or a header one that the client sets itself
     */
    public function __construct(
        public readonly array $headers,
        public readonly ?string $suffix = null,
        public readonly array $query = [],
        public readonly array $body = [],
    ) {
        if ($suffix !== null && preg_match('/^[\x21-\x7E]+( [\x21-\x7E]+)*$/D', $suffix) !== 1) {
            throw new InvalidArgumentException('The userAgentSuffix must be like my-shop/1.2, on one line.');
        }
        $this->userAgent = Headers::USER_AGENT . ($suffix === null ? '' : " {$suffix}");
        self::check($headers);
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, mixed>  $query
     * @param array<string, mixed>  $body
     */
    public function with(array $headers, array $query, array $body): self
    {
        self::check($headers); // By the names that the caller wrote.
        $merged = array_change_key_case($headers) + array_change_key_case($this->headers);

        return new self($merged, $this->suffix, $query + $this->query, $body + $this->body);
    }

    /** @param array<string, string> $headers */
    private static function check(array $headers): void
    {
        foreach (array_keys($headers) as $name) {
            if (preg_match(self::OWN_HEADERS, (string) $name) === 1) {
                throw new InvalidArgumentException(
                    "The client sets the header {$name} itself: use the argument for it, or send it with request().",
                );
            }
        }
        Headers::check($headers);
    }

    /**
     * The query of a call, with what the caller adds.
     *
     * @param array<string, mixed> $own
     *
     * @return array<string, mixed>
     */
    public function query(array $own, string $path = ''): array
    {
        if ($this->query === []) {
            return $own;
        }

        $sent = array_filter($own, static fn (mixed $value): bool => $value !== null);

        return self::added('query', $sent, $this->query, self::namesIn($path));
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

        return self::added('body', (array) $own, $this->body);
    }

    /** What is missing in the address of a next page. @return array<string, mixed> */
    public function missingIn(string $url): array
    {
        return array_diff_key($this->query, self::namesIn($url));
    }

    /**
     * @param array<string, mixed> $own
     * @param array<string, mixed> $extra
     * @param array<string, true>  $also  names that the call sends, too
     *
     * @return array<string, mixed>
     */
    private static function added(string $what, array $own, array $extra, array $also = []): array
    {
        $name = array_key_first(array_intersect_key($extra, $own + $also));
        if ($name !== null) {
            throw new InvalidArgumentException("This call sends {$name} itself: leave out its argument, or {$name} in {$what}.");
        }

        return $own + $extra;
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
}
