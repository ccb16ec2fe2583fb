variable "encrypt" {
  type = bool
}
resource "aws_sqs_queue" "jobs" {
  name                    = "jobs"
  sqs_managed_sse_enabled = var.encrypt
}
resource "aws_sqs_queue_policy" "jobs" {
  queue_url = aws_sqs_queue.jobs.id
  policy    = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = "*", Action = "sqs:SendMessage", Resource = "*" }] })
}
