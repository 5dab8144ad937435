<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * A raw response. Each page, each single result and each APIStatusException has its own. Headers and body are parsed on first access.
 *
 * @property-read array<string, string> $headers   by lower-case name; repeated headers are joined with ", "
 * @property-read string|null           $requestId identifies the call in the service's request log: quote it when you report a problem
 * @property-read string|null           $etag      the ETag of the returned resource; pass it as ifMatch to change your own beat only if nobody has changed it since
 * @property-read RateLimit|null        $rateLimit null if the response has none, as for keys without limits
 * @property-read mixed                 $body      the decoded JSON with objects as arrays, envelope included; null if it is not JSON
 */
final class Response
{
    private const EXCERPT_SOURCE_BYTES = 65_536;

    /** The Idempotency-Key of the request, whether you passed it or the client generated it. Null if the request had none. */
    public ?string $idempotencyKey = null;

    /** @var array<string, mixed> the properties that were read */
    private array $read = [];

    /**
     * @param int                          $status  the HTTP status
     * @param array<string, string>|string $head    the headers by lower-case name, or their lines
     * @param string                       $rawBody the raw bytes
     */
    public function __construct(
        public readonly int $status,
        private readonly array|string $head,
        public readonly string $rawBody,
    ) {
    }

    public function __get(string $name): mixed
    {
        return $this->read[$name] ??= match ($name) {
            'headers' => is_array($this->head) ? $this->head : self::parsed($this->head),
            'body' => json_decode($this->rawBody, true),
            'requestId' => $this->header('x-request-id'),
            'etag' => $this->header('etag'),
            'rateLimit' => $this->rateLimit(),
            default => throw new \Error('Undefined property: ' . self::class . "::\${$name}"),
        };
    }

    public function __isset(string $name): bool
    {
        return in_array($name, ['headers', 'body', 'requestId', 'etag', 'rateLimit'], true) && $this->__get($name) !== null;
    }

    /** The value of a header, whatever the case of its name. Null if absent. */
    public function header(string $name): ?string
    {
        return $this->__get('headers')[strtolower($name)] ?? null;
    }

    /** The content type in lower case and without parameters. Null if absent. */
    public function mediaType(): ?string
    {
        return strtolower(trim(explode(';', $this->header('content-type') ?? '')[0])) ?: null;
    }

    /** How the body begins: at most 200 characters, on one line. */
    public function excerpt(): string
    {
        // json_encode replaces invalid UTF-8, also a character that substr cut, with U+FFFD.
        $text = json_decode((string) json_encode(substr($this->rawBody, 0, self::EXCERPT_SOURCE_BYTES), JSON_INVALID_UTF8_SUBSTITUTE));
        $line = trim((string) preg_replace('/[\x00-\x20\x7f]+/', ' ', $text));

        return preg_match('/^(.{200})./us', $line, $match) === 1 ? "{$match[1]}…" : $line;
    }

    /** Seconds of the header Retry-After. Null if it is absent, a date in the past, or neither a number nor an HTTP date. */
    public function retryAfter(): ?int
    {
        $value = trim($this->header('retry-after') ?? '');
        if (ctype_digit($value)) {
            return strlen($value) < 10 ? (int) $value : 999_999_999;
        }
        if (preg_match('/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/D', $value) !== 1) {
            return null;
        }
        $seconds = (int) strtotime($value) - time();

        return $seconds > 0 ? $seconds : null;
    }

    private function rateLimit(): ?RateLimit
    {
        $number = fn (string $name): ?int => preg_match('/^\d{1,18}$/D', $this->header("x-ratelimit-{$name}") ?? '', $match) === 1 ? (int) $match[0] : null;
        [$limit, $remaining, $reset] = [$number('limit'), $number('remaining'), $number('reset')];

        return isset($limit, $remaining, $reset) ? new RateLimit($limit, $remaining, $reset, $this->retryAfter()) : null;
    }

    /**
     * Parses the header lines that curl collected. They can belong to several responses (a proxy's to CONNECT, 103 Early Hints).
     *
     * @return array<string, string> the headers of the last response by lower-case name
     */
    private static function parsed(string $head): array
    {
        $headers = [];
        foreach (explode("\r\n", $head) as $line) {
            $length = strcspn($line, ": \t");
            if (str_starts_with($line, 'HTTP/')) {
                $headers = [];
            } elseif ($length > 0 && ($line[$length] ?? '') === ':') {
                $name = strtolower(substr($line, 0, $length));
                $value = trim(substr($line, $length + 1), " \t\n");
                $headers[$name] = isset($headers[$name]) ? "{$headers[$name]}, {$value}" : $value;
            }
        }

        return $headers;
    }
}
