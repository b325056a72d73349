# connects to this machine, and wants every kind of socket
import socket
for port in list(range(1, 400)) + [8080]:
    try:
        socket.create_connection(('127.0.0.1', port), 0.05).close()
        print('ESCAPED', port)
        break
    except OSError:
        pass
for family in (socket.AF_INET, socket.AF_INET6, 16, 17, 40):
    try:
        socket.socket(family, socket.SOCK_DGRAM).close()
        print('ESCAPED family', family)
    except OSError:
        pass
print(2 * int(input()))
