<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A beat in a list. */
class Beat extends Model
{
    public readonly int $id;
    public readonly string $title;

    /** The producing user. */
    public readonly int $userId;

    public readonly string $producerName;
    public readonly GenreName $genre;

    /** Of the basic license, in the currency that orders name; at most two decimals. */
    public readonly float $price;

    /** Whole seconds; 0 when unknown. */
    public readonly int $duration;

    /** Tempo in beats per minute; 0 only for a draft of your own whose tempo is not known yet. */
    public readonly int $bpm;

    /** Musical key such as "C# minor"; "" when unknown. */
    public readonly string $key;

    public readonly string $audioUrl;

    /** A URL. */
    public readonly string $coverImage;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $createdAt;

    public readonly int $playCount;
    public readonly int $downloadCount;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->title = $fields->string('title');
        $this->userId = $fields->integer('user_id');
        $this->producerName = $fields->string('producer_name');
        $this->genre = new GenreName($fields->object('genre'));
        $this->price = $fields->number('price');
        $this->duration = $fields->integer('duration');
        $this->bpm = $fields->integer('bpm');
        $this->key = $fields->string('key');
        $this->audioUrl = $fields->string('audio_url');
        $this->coverImage = $fields->string('cover_image');
        $this->createdAt = $fields->string('created_at');
        $this->playCount = $fields->integer('play_count');
        $this->downloadCount = $fields->integer('download_count');
    }
}
