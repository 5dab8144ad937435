<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * A list without pages.
 *
 * @template T
 *
 * @implements \IteratorAggregate<int, T>
 */
final class Collection implements \IteratorAggregate, \Countable, \JsonSerializable
{
    /**
     * @internal
     *
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

    /** @return list<T> */
    public function jsonSerialize(): array
    {
        return $this->data;
    }
}
