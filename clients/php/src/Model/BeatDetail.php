<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A beat with its description, tags and licenses; one of your own also with its status. */
final class BeatDetail extends Beat
{
    public readonly string $description;

    /** @var list<string> */
    public readonly array $tags;

    /** @var list<License> */
    public readonly array $licenses;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $updatedAt;

    /** URL of the waveform as JSON of audiowaveform; null without one, and in lists, exports and changes. */
    public readonly ?string $waveformUrl;

    /** What was heard in the recording; null if it was not analysed, and in lists, exports and changes. */
    public readonly ?Analysis $analysis;

    /** One of Value\BeatStatus; the API may add values. Null for beats of others, as all below. */
    public readonly ?string $status;

    /** producer or analysis: whose word bpm is; null while nobody has said. */
    public readonly ?string $bpmSource;

    /** producer or analysis: whose word key is; null while nobody has said. */
    public readonly ?string $keySource;

    /** What is mixed into the preview: default, none, or the id of an upload. */
    public readonly ?string $previewTag;

    /** Why the last publishing failed, as a sentence; null if it did not. */
    public readonly ?string $rejection;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->description = $fields->string('description');
        $this->tags = $fields->strings('tags');
        $this->licenses = $fields->models('licenses', License::class);
        $this->updatedAt = $fields->string('updated_at');
        $this->waveformUrl = $fields->stringOrNull('waveform_url');
        $analysis = $fields->objectOrNull('analysis');
        $this->analysis = $analysis === null ? null : new Analysis($analysis);
        $this->status = $fields->stringOrNull('status');
        $this->bpmSource = $fields->stringOrNull('bpm_source');
        $this->keySource = $fields->stringOrNull('key_source');
        $this->previewTag = $fields->stringOrNull('preview_tag');
        $this->rejection = $fields->stringOrNull('rejection');
    }
}
