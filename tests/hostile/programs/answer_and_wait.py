# the answer without an end of line, then nothing
import sys, time
sys.stdout.write(str(2 * int(input())))
sys.stdout.flush()
time.sleep(60)
