<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket;

/**
 * A list without pages.
 *
 * @template T
 * @implements \IteratorAggregate<int, T>
 * @implements \ArrayAccess<int, T>
 */
final class Collection implements \IteratorAggregate, \ArrayAccess, \Countable, \JsonSerializable
{
    /**
     * @internal
     * @param list<T> $data
     */
    public function __construct(public readonly array $data, public readonly Response $response)
    {
    }

    /** @return \ArrayIterator<int, T> */
    public function getIterator(): \ArrayIterator
    {
        return new \ArrayIterator($this->data);
    }

    public function count(): int
    {
        return count($this->data);
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->data[$offset]);
    }

    /** @return T */
    public function offsetGet(mixed $offset): mixed
    {
        return $this->data[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \Error('Cannot modify a readonly list');
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->offsetSet($offset, null);
    }

    /** @return list<T> */
    public function jsonSerialize(): array
    {
        return $this->data;
    }
}
