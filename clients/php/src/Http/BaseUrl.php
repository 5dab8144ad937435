<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/**
 * The base URL, and the URLs below it.
 *
 * @internal
 */
final class BaseUrl
{
    /** Such as "https://localhost:8443": the only origin that receives the key. */
    private readonly string $origin;

    /** The origin and a path such as "/v1", without a trailing slash. */
    private readonly string $base;

    /** @throws InvalidArgumentException if it is not an https URL (http is for the local machine, unless all of it is allowed) */
    public function __construct(string $url, bool $allowHttp = false)
    {
        $parts = self::parts($url);
        if ($parts === null || isset($parts['query'])) {
            throw new InvalidArgumentException('The base URL must be an address such as https://localhost:8443/v1.');
        }
        if (!$allowHttp && !self::isEncrypted($parts)) {
            throw new InvalidArgumentException(
                'The base URL must begin with https://, or others could read the key. Where that is fine, as for a mock server or a '
                . 'side-car, pass allowHttp: true.',
            );
        }
        $this->origin = self::originOf($parts);
        $this->base = $this->origin . rtrim($parts['path'] ?? '', '/');
    }

    /**
     * @param string               $path  below the base URL, such as "/beats", with encoded segments
     * @param array<string, mixed> $query null values are omitted; lists are sent with commas, times in ISO 8601
     *
     * @throws InvalidArgumentException when a parameter is none of these, a text, a number or a boolean, or has a
     *                                  comma in a value of a list
     */
    public function to(string $path, array $query = []): string
    {
        return $query === [] ? $this->base . $path : self::with($this->base . $path, $query);
    }

    /**
     * The URL with these parameters.
     *
     * @param array<string, mixed> $query as for to()
     */
    public static function with(string $url, array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            if ($value !== null) {
                $texts = array_map(
                    static fn (mixed $one): string => self::text((string) $name, $one),
                    is_array($value) ? $value : [$value],
                );
                foreach (is_array($value) ? $texts : [] as $text) {
                    if (str_contains($text, ',')) {
                        throw new InvalidArgumentException("A value of $name has a comma, which divides values: $text");
                    }
                }
                $pairs[] = rawurlencode((string) $name) . '=' . rawurlencode(implode(',', $texts));
            }
        }

        return $pairs === [] ? $url : $url . (str_contains($url, '?') ? '&' : '?') . implode('&', $pairs);
    }

    /**
     * Like to(), for a path from the caller.
     *
     * @param array<string, mixed> $query
     *
     * @throws InvalidArgumentException when the path leaves the base
     */
    public function toGiven(string $path, array $query): string
    {
        if (preg_match('~^/(?!/)[\x21-\x7E]*$~D', $path) !== 1 || preg_match('~[\\\\#]|/\.{1,2}(/|\?|$)~', $path) === 1) {
            throw new InvalidArgumentException('The path must begin with one slash, percent-encoded, without dot segments.');
        }

        return $this->to($path, $query);
    }

    /** The normalized URL, or null if its origin is not that of the base URL. */
    public function own(string $url): ?string
    {
        $parts = self::parts($url);
        if ($parts === null || self::originOf($parts) !== $this->origin) {
            return null;
        }

        return self::rebuilt($parts);
    }

    /**
     * The normalized URL of a signed link, or null if it is not an https URL (http is allowed for the local machine only).
     */
    public static function link(string $url): ?string
    {
        $parts = self::parts($url);

        return $parts === null || !self::isEncrypted($parts) ? null : self::rebuilt($parts);
    }

    /** The normalized URL that a signed link redirects to, as for link(). */
    public static function redirect(string $from, string $location): ?string
    {
        $parts = preg_match('~^/(?!/)~', $location) === 1 ? self::parts($from) : null;

        return self::link(($parts === null ? '' : self::originOf($parts)) . $location);
    }

    /** An encoded path segment. */
    public static function segment(string $name, int|string $value): string
    {
        $text = (string) $value;
        if ($text === '' || $text === '.' || $text === '..') {
            throw new InvalidArgumentException("{$name} must be an id: \"{$text}\" would ask for something else.");
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

    /** @return array{scheme: string, host: string, port?: int, path?: string, query?: string}|null */
    private static function parts(string $url): ?array
    {
        $parts = preg_match('/^[\x21-\x7E]+$/D', $url) === 1 && !str_contains($url, '\\') ? parse_url($url) : false;
        if ($parts === false || !isset($parts['scheme'], $parts['host'])) {
            return null;
        }
        $parts['scheme'] = strtolower($parts['scheme']);
        $parts['host'] = strtolower($parts['host']);
        $isHost = preg_match('/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/D', $parts['host']) === 1;

        return $isHost && in_array($parts['scheme'], ['http', 'https'], true) && !isset($parts['user']) && !isset($parts['pass'])
            ? $parts
            : null;
    }

    /**
     * From its parts, so that another parser cannot find a different host in it.
     *
     * @param array{scheme: string, host: string, port?: int, path?: string, query?: string} $parts
     */
    private static function rebuilt(array $parts): string
    {
        return self::originOf($parts) . ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : '');
    }

    /**
     * Whether others cannot read along, which they cannot on the local machine.
     *
     * @param array{scheme: string, host: string} $parts
     */
    private static function isEncrypted(array $parts): bool
    {
        return $parts['scheme'] === 'https' || preg_match('/^(localhost|127(\.\d+){3}|\[::1\])$/D', $parts['host']) === 1;
    }

    /** @param array{scheme: string, host: string, port?: int} $parts */
    private static function originOf(array $parts): string
    {
        $standardPort = $parts['scheme'] === 'https' ? 443 : 80;
        $port = $parts['port'] ?? $standardPort;

        return "{$parts['scheme']}://{$parts['host']}" . ($port === $standardPort ? '' : ":{$port}");
    }
}
