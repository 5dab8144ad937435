<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 500 and above: the service failed. */
final class ServerException extends APIStatusException
{
}
