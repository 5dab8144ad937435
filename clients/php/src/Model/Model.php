<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/**
 * The base class of API objects: readonly properties in camelCase. toArray() also has the fields that this version does
 * not know.
 *
 * @phpstan-consistent-constructor
 */
class Model implements \JsonSerializable
{
    private readonly Fields $fields;
    private readonly ?Response $response;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        $this->fields = $fields;
        $this->response = $response;
    }

    /**
     * Creates a model without a request, for example in a test.
     *
     * @param array<array-key, mixed> $wire fields by their API names
     *
     * @throws InvalidArgumentException when a field is missing or of another type
     */
    public static function fromArray(array $wire): static
    {
        return new static(new Fields($wire));
    }

    /**
     * All fields by their API names, including unknown ones.
     *
     * @return array<array-key, mixed>
     */
    public function toArray(): array
    {
        return $this->fields->wire;
    }

    /** The response of a single result; null for an item of a list, whose page has the response. */
    public function response(): ?Response
    {
        return $this->response;
    }

    /** @return array<array-key, mixed> */
    public function jsonSerialize(): array
    {
        return $this->fields->wire;
    }

    /** @return array<array-key, mixed> */
    public function __debugInfo(): array
    {
        return $this->fields->wire;
    }
}
