<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * A text that nothing prints: not var_dump, print_r, var_export, json_encode, an array cast, or a stack trace.
 *
 * @internal
 */
final class Secret
{
    /**
     * The texts live beside the objects, because __debugInfo() alone hides nothing from var_export and array casts.
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

    /** The same text with this secret blotted out, in case a server or a caller's own input repeats it. */
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
