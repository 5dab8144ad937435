<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * An object of the API, with read-only properties in camelCase. A field that is null or missing is null. A field of another type
 * than documented has the value that the service sent. toArray() has all fields, including unknown ones. An array access takes
 * the API's names: $beat['producer_name'] is $beat->producerName.
 *
 * @implements \ArrayAccess<string, mixed>
 * @phpstan-consistent-constructor
 */
class Model implements \ArrayAccess, \JsonSerializable
{
    use LazyFields;

    /**
     * @internal
     * @var array<string, non-empty-list<mixed>> by property: the name of the field, and how its value is read
     */
    public const FIELDS = [];

    /**
     * @internal use fromArray()
     * @param array<array-key, mixed> $wire
     */
    public function __construct(array $wire, private readonly ?Response $receivedWith = null)
    {
        $this->wire = $wire;
    }

    /**
     * Creates a model without a request, for example in a test.
     *
     * @param array<array-key, mixed> $wire fields by their API names
     */
    public static function fromArray(array $wire): static
    {
        return new static($wire);
    }

    /** The response of a single result; null for an item of a list, whose page has the response. */
    public function response(): ?Response
    {
        return $this->receivedWith;
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->wire[$offset]);
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->__get(lcfirst(str_replace('_', '', ucwords((string) $offset, '_'))));
    }

    public function jsonSerialize(): mixed
    {
        return $this->wire === [] ? new \stdClass() : $this->wire;
    }
}
