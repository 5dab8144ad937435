<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 412: the beat has changed since the state that ifMatch names. Get it, and decide again. */
final class PreconditionFailedException extends APIStatusException
{
}
