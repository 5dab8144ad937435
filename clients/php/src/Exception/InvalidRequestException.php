<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** The request cannot be done as it is: 400, and 405, 406, 409, 413, 415 too. Details say what to change. */
final class InvalidRequestException extends APIStatusException
{
}
