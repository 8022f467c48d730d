"""What happens under load and when processes are killed, checked against what must hold."""
