<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * A raw response. Each page, each single result and each APIStatusException has its own. It reads its parts when asked.
 *
 * @property-read array<string, string> $headers   by lower-case name; repeated headers are joined with ", "
 * @property-read string|null           $requestId identifies the call in the service's request log: quote it when you report a problem
 * @property-read string|null           $etag      the state of what was returned, which an update of your own beat takes as ifMatch
 * @property-read RateLimit|null        $rateLimit null if the response has none, as for keys without limits
 * @property-read mixed                 $body      the decoded JSON with objects as arrays, envelope included; null if it is no JSON
 */
final class Response
{
    private const LOOKED_AT_BYTES = 65_536;

    /** What the request was sent with, also if the client made it; null if it had none. */
    public ?string $idempotencyKey = null;

    /** @var array<string, mixed> the parts that were read */
    private array $parts = [];

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
        return $this->parts[$name] ??= match ($name) {
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
        $text = json_decode((string) json_encode(substr($this->rawBody, 0, self::LOOKED_AT_BYTES), JSON_INVALID_UTF8_SUBSTITUTE));
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
        $texts = array_map(fn (string $name): ?string => $this->header("x-ratelimit-{$name}"), ['limit', 'remaining', 'reset']);
        $numbers = array_map(intval(...), preg_grep('/^\d{1,18}$/D', array_filter($texts, is_string(...))) ?: []);

        return count($numbers) === 3 ? new RateLimit(...[...$numbers, $this->retryAfter()]) : null;
    }

    /** @return array<string, string> by lower-case name, of the last response: a proxy's and interim ones such as 103 come before */
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
