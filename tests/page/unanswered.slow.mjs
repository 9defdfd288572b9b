// Slow, and about time: chunks of a server that stalls, until the page gives up waiting.

import { describeUnanswered } from "./unanswered.mjs";

describeUnanswered([["stall", "the server sent nothing for 10 s"]]);
