<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat with its description, tags and licenses; one of your own with its status too.
 *
 * @property-read string               $description
 * @property-read list<string>         $tags
 * @property-read list<License>        $licenses
 * @property-read string               $updatedAt       ISO 8601, UTC, whole seconds.
 * @property-read string|null          $waveformUrl     The waveform of the whole beat, as JSON of audiowaveform's
 *                                                      version 2; null without one.
 * @property-read Analysis|null        $analysis        What was heard in the recording; null for one that was not
 *                                                      analysed.
 * @property-read string|null          $status          To the beat's producer alone, as all below. One of
 *                                                      Value\BeatStatus, or a later value.
 * @property-read string|null          $bpmSource       Who said the `bpm`; null while nobody has. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $keySource       Who said the `key`; null while nobody has. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $previewTag      What is mixed into the preview: `default`, `none`, or the id of
 *                                                      an upload.
 * @property-read LicenseSettings|null $licenseSettings Which licenses are sold, and with which limits.
 * @property-read bool|null            $freeDownload    Whether the tagged MP3 is free for an address.
 * @property-read string|null          $publishAt       When it is published by itself; null if it is not. It stays
 *                                                      until the beat is on sale, or could not be published.
 * @property-read string|null          $rejection       Why the last publishing failed, as a sentence; null if it did
 *                                                      not.
 */
final class BeatDetail extends Beat
{
    public const FIELDS = [
        ...parent::FIELDS,
        'description' => ['description'],
        'tags' => ['tags'],
        'licenses' => ['licenses', [License::class]],
        'updatedAt' => ['updated_at'],
        'waveformUrl' => ['waveform_url'],
        'analysis' => ['analysis', Analysis::class],
        'status' => ['status'],
        'bpmSource' => ['bpm_source'],
        'keySource' => ['key_source'],
        'previewTag' => ['preview_tag'],
        'licenseSettings' => ['license_settings', LicenseSettings::class],
        'freeDownload' => ['free_download'],
        'publishAt' => ['publish_at'],
        'rejection' => ['rejection'],
    ];
}
