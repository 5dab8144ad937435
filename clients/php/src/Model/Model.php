<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;

/**
 * What the service sent, as readonly properties in camelCase. Fields that this version does not know are kept: toArray()
 * has all of them.
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
     * Makes one without the service, say for a test.
     *
     * @param array<array-key, mixed> $wire fields by their names on the wire
     *
     * @throws InvalidArgumentException when a field is missing or of another type
     */
    public static function fromArray(array $wire): static
    {
        return new static(new Fields($wire));
    }

    /**
     * Every field, under its name on the wire, the unknown ones included.
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
