<?php

declare(strict_types=1);

namespace BeatMarket;

/** @internal A string that var_dump, print_r, var_export, json_encode, array casts and stack traces do not show. */
final class Secret
{
    /** @var \WeakMap<self, string>|null outside the objects: __debugInfo() alone does not hide values from var_export and casts */
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

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A client holds a secret and cannot be serialized.');
    }
}
