<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/** @internal The base URL, and the URLs below it. */
final class BaseUrl
{
    private readonly string $origin; // The only origin that receives the key, such as "https://localhost:8443".
    public readonly string $base; // The origin and a path such as "/v1", without a trailing slash.

    /** @throws InvalidArgumentException if it is not an https URL; http is allowed for the local machine, and with $allowHttp for every host */
    public function __construct(string $url, bool $allowHttp = false)
    {
        $parts = self::parts($url);
        if ($parts === null || str_contains($parts['target'], '?')) {
            throw new InvalidArgumentException('The base URL must be an address such as https://localhost:8443/v1.');
        }
        if (!$allowHttp && !$parts['isSecure']) {
            throw new InvalidArgumentException(
                'The base URL must begin with https://, or others could read the key. Where that is fine, as for a mock server or a '
                . 'side-car, pass allowHttp: true.',
            );
        }
        $this->origin = $parts['origin'];
        $this->base = $this->origin . rtrim($parts['target'], '/');
    }

    /** @param array<string, mixed> $query as for with() */
    public function to(string $path, array $query = []): string
    {
        return $query === [] ? $this->base . $path : self::with($this->base . $path, $query);
    }

    /** @param array<string, mixed> $query null values are omitted; lists are sent with commas, times in ISO 8601 */
    public static function with(string $url, array $query): string
    {
        foreach ($query as $name => $value) {
            if ($value === null) {
                continue;
            }
            $texts = array_map(
                static fn (mixed $one): string => self::text((string) $name, $one),
                is_array($value) ? $value : [$value],
            );
            $withComma = is_array($value) ? preg_grep('/,/', $texts) ?: [] : [];
            if ($withComma !== []) {
                throw new InvalidArgumentException("A value of $name has a comma, which separates values: " . reset($withComma));
            }
            $url .= (str_contains($url, '?') ? '&' : '?') . rawurlencode((string) $name) . '=' . rawurlencode(implode(',', $texts));
        }

        return $url;
    }

    /** The normalized URL, or null if it is invalid or has another origin than the base URL. */
    public function own(string $url): ?string
    {
        $parts = self::parts($url);

        return $parts !== null && $parts['origin'] === $this->origin ? $parts['origin'] . $parts['target'] : null;
    }

    /**
     * The normalized URL of a signed link, or null if it is not an https URL (http is allowed for the local machine only).
     *
     * @param string $from the link that redirects to `$url`, which may then be a path
     */
    public static function link(string $url, string $from = ''): ?string
    {
        $isPath = preg_match('~^/(?!/)~', $url) === 1;
        $parts = self::parts(($isPath ? self::parts($from)['origin'] ?? '' : '') . $url);

        return $parts !== null && $parts['isSecure'] ? $parts['origin'] . $parts['target'] : null;
    }

    /** An encoded path segment. */
    public static function segment(string $name, int|string $value): string
    {
        $text = (string) $value;
        if ($text === '' || $text === '.' || $text === '..') {
            throw new InvalidArgumentException("{$name} must be an id: \"{$text}\" would request another path.");
        }

        return rawurlencode($text);
    }

    private static function text(string $name, mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \BackedEnum => (string) $value->value,
            is_scalar($value) || $value instanceof \Stringable => (string) $value,
            $value instanceof \DateTimeInterface => \DateTimeImmutable::createFromInterface($value)
                ->setTimezone(new \DateTimeZone('UTC'))->format('Y-m-d\TH:i:s.v\Z'),
            default => throw new InvalidArgumentException("The parameter {$name} must be a text, a number, a time or a list of them."),
        };
    }

    /** @return array{origin: string, target: string, isSecure: bool}|null null if the URL is invalid; callers build it again from the parts, so that every parser finds the same host */
    private static function parts(string $url): ?array
    {
        $parts = preg_match('/^[\x21-\x7E]+$/D', $url) === 1 && !str_contains($url, '\\') ? parse_url($url) : false;
        $scheme = strtolower($parts['scheme'] ?? '');
        $host = strtolower($parts['host'] ?? '');
        $standardPort = ['http' => 80, 'https' => 443][$scheme] ?? null;
        $isHost = preg_match('/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/D', $host) === 1;
        if ($standardPort === null || !$isHost || isset($parts['user']) || isset($parts['pass'])) {
            return null;
        }
        $port = $parts['port'] ?? $standardPort;
        $isLocal = preg_match('/^(localhost|127(\.\d+){3}|\[::1\])$/D', $host) === 1;

        return [
            'origin' => "{$scheme}://{$host}" . ($port === $standardPort ? '' : ":{$port}"),
            'target' => ($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : ''),
            'isSecure' => $scheme === 'https' || $isLocal,
        ];
    }
}
