// The processes of the tests begin as the program does.
import { setV8Options } from '../../src/v8-options.js';

setV8Options();
