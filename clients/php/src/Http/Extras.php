<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Client;
use BeatMarket\Exception\InvalidArgumentException;

/** @internal The headers of requests, without the key, and the fields that a caller adds to the arguments of methods. */
final class Extras
{
    private const USER_AGENT = 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION;
    private const OWN_HEADERS = '/^(accept|accept-encoding|authorization|connection|content-(encoding|length|type)|expect|host'
        . '|idempotency-key|if-match|if-range|last-event-id|range|te|transfer-encoding|tus-.*|upload-.*|user-agent|x-api-key)$/Di';

    public readonly string $userAgent;

    /** @var array<string, string> the headers of a GET without a body */
    public readonly array $plain;

    /** Whether there is nothing to add to queries and bodies. */
    public readonly bool $areAbsent;

    /**
     * @param array<string, string> $headers sent with each request to the API
     * @param array<string, mixed>  $query   fields of each query
     * @param array<string, mixed>  $body    fields of each JSON body
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
        $this->areAbsent = $query === [] && $body === [];
        $this->plain = ['Accept' => 'application/json', 'User-Agent' => $this->userAgent] + $headers;
        foreach (preg_grep(self::OWN_HEADERS, array_map(strval(...), array_keys($headers))) ?: [] as $name) {
            throw new InvalidArgumentException(
                "The client sets the header {$name} itself: use the argument for it, or send it with request().",
            );
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
        new self($headers); // Throws for invalid headers, with their names as the caller wrote them.
        $merged = array_change_key_case($headers) + array_change_key_case($this->headers);

        return new self($merged, $this->suffix, $query + $this->query, $body + $this->body);
    }

    /**
     * @param array<string, string> $given override the library's
     * @return array<string, string>
     */
    public function headers(string $method, bool $hasBody, array $given): array
    {
        self::check($given);
        $own = $this->plain;
        if ($hasBody) {
            $own['Content-Type'] = 'application/json';
        }
        if (in_array($method, ['POST', 'PATCH', 'DELETE'], true)) {
            $own['Idempotency-Key'] = self::uuid(); // Shared by all attempts, so that a retry is safe.
        }

        return array_diff_ukey($own, $given, strcasecmp(...)) + $given;
    }

    /** The address of a call with the caller's extra fields of the query. The address of a next page may have them. */
    public function url(string $url, bool $isNextPage = false): string
    {
        if ($this->query === []) {
            return $url;
        }
        preg_match_all('/[?&]([^=&]+)/', (string) strstr($url, '?'), $names);
        $missing = array_diff_key($this->query, array_flip(array_map(rawurldecode(...), $names[1])));
        $isNextPage || self::refuse('query', array_diff_key($this->query, $missing));

        return BaseUrl::with($url, $missing);
    }

    /** The body of a call as JSON, with the caller's extra fields. */
    public function body(mixed $own): ?string
    {
        if ($this->body !== []) {
            if (!Json::isObject($own) && $own !== []) {
                throw new InvalidArgumentException('This call has no JSON object to add ' . implode(', ', array_keys($this->body)) . ' to.');
            }
            self::refuse('body', array_intersect_key($this->body, (array) $own));
            $own = (array) $own + $this->body;
        }

        return $own === null ? null : Json::encode($own);
    }

    /** @param array<string, mixed> $doubled fields that a call sends itself */
    private static function refuse(string $what, array $doubled): void
    {
        $name = array_key_first($doubled);
        if ($name !== null) {
            throw new InvalidArgumentException("This call sends {$name} itself: leave out its argument, or {$name} in {$what}.");
        }
    }

    /** @param array<string, string> $given */
    private static function check(array $given): void
    {
        foreach ($given as $name => $value) {
            $name = (string) $name;
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1 || strcasecmp($name, 'Authorization') === 0) {
                throw new InvalidArgumentException('The name of a header is empty or invalid, or it is Authorization.');
            }
            if (!is_string($value) || preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0F | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3F | 0x80);

        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
