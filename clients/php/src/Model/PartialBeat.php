<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A beat that is reduced to the fields that were asked for; null for the others. */
final class PartialBeat extends Model
{
    public readonly ?int $id;
    public readonly ?string $title;
    public readonly ?int $userId;
    public readonly ?string $producerName;
    public readonly ?GenreName $genre;
    public readonly ?float $price;
    public readonly ?int $duration;
    public readonly ?int $bpm;
    public readonly ?string $key;
    public readonly ?string $audioUrl;
    public readonly ?string $coverImage;
    public readonly ?string $createdAt;
    public readonly ?int $playCount;
    public readonly ?int $downloadCount;
    public readonly ?string $description;

    /** @var list<string>|null */
    public readonly ?array $tags;

    /** @var list<License>|null */
    public readonly ?array $licenses;

    public readonly ?string $updatedAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->optional('id', $fields->integer(...));
        $this->title = $fields->optional('title', $fields->string(...));
        $this->userId = $fields->optional('user_id', $fields->integer(...));
        $this->producerName = $fields->optional('producer_name', $fields->string(...));
        $genre = $fields->objectOrNull('genre');
        $this->genre = $genre === null ? null : new GenreName($genre);
        $this->price = $fields->optional('price', $fields->number(...));
        $this->duration = $fields->optional('duration', $fields->integer(...));
        $this->bpm = $fields->optional('bpm', $fields->integer(...));
        $this->key = $fields->optional('key', $fields->string(...));
        $this->audioUrl = $fields->optional('audio_url', $fields->string(...));
        $this->coverImage = $fields->optional('cover_image', $fields->string(...));
        $this->createdAt = $fields->optional('created_at', $fields->string(...));
        $this->playCount = $fields->optional('play_count', $fields->integer(...));
        $this->downloadCount = $fields->optional('download_count', $fields->integer(...));
        $this->description = $fields->optional('description', $fields->string(...));
        $this->tags = $fields->optional('tags', $fields->strings(...));
        $this->licenses = $fields->optional('licenses', static fn (string $name): array => $fields->models($name, License::class));
        $this->updatedAt = $fields->optional('updated_at', $fields->string(...));
    }
}
