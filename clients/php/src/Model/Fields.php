<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Exception\InvalidArgumentException;

/**
 * Reads typed fields of a decoded JSON object. Each method throws InvalidArgumentException if the field is missing or of
 * another type.
 *
 * @internal
 */
final class Fields
{
    /** @param array<array-key, mixed> $wire */
    public function __construct(public readonly array $wire)
    {
    }

    public function integer(string $name): int
    {
        $value = $this->wire[$name] ?? null;

        return is_int($value) ? $value : throw $this->unlike($name, 'an integer');
    }

    public function number(string $name): float
    {
        $value = $this->wire[$name] ?? null;

        return is_int($value) || is_float($value) ? (float) $value : throw $this->unlike($name, 'a number');
    }

    public function boolean(string $name): bool
    {
        $value = $this->wire[$name] ?? null;

        return is_bool($value) ? $value : throw $this->unlike($name, 'true or false');
    }

    public function string(string $name): string
    {
        $value = $this->wire[$name] ?? null;

        return is_string($value) ? $value : throw $this->unlike($name, 'a string');
    }

    public function stringOrNull(string $name): ?string
    {
        return isset($this->wire[$name]) ? $this->string($name) : null;
    }

    public function object(string $name): self
    {
        $value = $this->wire[$name] ?? null;

        return is_array($value) ? new self($value) : throw $this->unlike($name, 'an object');
    }

    public function objectOrNull(string $name): ?self
    {
        return isset($this->wire[$name]) ? $this->object($name) : null;
    }

    /**
     * A field that may be missing or null, as one of the methods above reads it.
     *
     * @template T
     *
     * @param \Closure(string): T $read
     *
     * @return T|null
     */
    public function optional(string $name, \Closure $read): mixed
    {
        return isset($this->wire[$name]) ? $read($name) : null;
    }

    /** @return list<int> */
    public function integers(string $name): array
    {
        return array_map(
            fn (mixed $item): int => is_int($item) ? $item : throw $this->unlike($name, 'a list of integers'),
            $this->list($name),
        );
    }

    /** @return list<string> */
    public function strings(string $name): array
    {
        return array_map(
            fn (mixed $item): string => is_string($item) ? $item : throw $this->unlike($name, 'a list of strings'),
            $this->list($name),
        );
    }

    /**
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return list<T>
     */
    public function models(string $name, string $model): array
    {
        $models = [];
        foreach ($this->list($name) as $item) {
            $models[] = is_array($item) ? new $model(new self($item)) : throw $this->unlike($name, 'a list of objects');
        }

        return $models;
    }

    /** @return list<mixed> */
    private function list(string $name): array
    {
        $value = $this->wire[$name] ?? null;

        return is_array($value) && array_is_list($value) ? $value : throw $this->unlike($name, 'a list');
    }

    private function unlike(string $name, string $kind): InvalidArgumentException
    {
        return new InvalidArgumentException("The field {$name} must be {$kind}.");
    }
}
