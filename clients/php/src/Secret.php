<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * A string that var_dump, print_r, var_export, json_encode, array casts and stack traces do not show.
 *
 * @internal
 */
final class Secret
{
    /**
     * The values are stored outside the objects: __debugInfo() alone does not hide them from var_export and array casts.
     *
     * @var \WeakMap<self, string>|null
     */
    private static ?\WeakMap $texts = null;

    public function __construct(#[\SensitiveParameter] string $text)
    {
        self::$texts ??= new \WeakMap();
        self::$texts[$this] = $text;
    }

    public function reveal(): string
    {
        return self::$texts[$this] ?? throw new \LogicException('This secret was not made by its constructor.');
    }

    /** Redacts this secret in a text, in case a server or the caller's input repeats it. */
    public function redact(string $text): string
    {
        return str_replace($this->reveal(), '[redacted]', $text);
    }

    private function __clone()
    {
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A client holds a secret and cannot be serialized.');
    }
}
