<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\Json;

/** @internal Reads the fields of a decoded JSON object as properties, on first access. */
trait LazyFields
{
    /** @var array<array-key, mixed> */
    private readonly array $wire;

    /** @var array<string, mixed> objects and lists that were accessed */
    private array $read = [];

    /** @return array<array-key, mixed> all fields by their API names, including unknown ones */
    public function toArray(): array
    {
        return $this->wire;
    }

    public function __get(string $name): mixed
    {
        $field = static::FIELDS[$name][0] ?? strtolower(preg_replace('/[A-Z]/', '_$0', $name) ?? $name);
        $value = $this->wire[$field] ?? null;
        if ($value === null && !isset(static::FIELDS[$name]) && !array_key_exists($field, $this->wire)) {
            trigger_error('Undefined property: ' . static::class . "::\${$name}", E_USER_WARNING);
        }
        if (is_int($value) || is_array($value) || is_object($value)) {
            return $this->read[$name] ??= self::readAs(static::readers($name, $this->wire), $value);
        }

        return $value;
    }

    public function __isset(string $name): bool
    {
        return isset($this->wire[static::FIELDS[$name][0] ?? '']);
    }

    public function __set(string $name, mixed $value): void
    {
        throw new \Error('Cannot modify readonly property ' . static::class . "::\${$name}");
    }

    public function __unset(string $name): void
    {
        throw new \Error('Cannot unset readonly property ' . static::class . "::\${$name}");
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        $this->__set((string) $offset, $value);
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->__unset((string) $offset);
    }

    /** @return array<array-key, mixed> */
    public function __debugInfo(): array
    {
        return (array) $this->jsonSerialize();
    }

    /**
     * @param array<array-key, mixed> $wire
     * @return list<mixed> what the value may be: 'float', the class of a model, or a list of these for the items of a list
     */
    protected static function readers(string $property, array $wire): array
    {
        return array_slice(static::FIELDS[$property] ?? [], 1);
    }

    /** @param list<mixed> $readers each leaves a value of another type unchanged */
    private static function readAs(array $readers, mixed $value): mixed
    {
        foreach ($readers as $reader) {
            if ($reader === 'float') {
                $value = is_int($value) ? (float) $value : $value;
            } elseif (is_array($reader)) {
                $read = static fn (mixed $item): mixed => self::readAs($reader, $item);
                $value = is_array($value) ? array_map($read, $value) : $value;
            } elseif (Json::isObject($value)) {
                $value = new $reader((array) $value);
            }
        }

        return $value;
    }
}
