# a list that grows without end
kept = []
while True:
    kept.append(bytearray(1 << 16))
