resource "aws_iam_role" "mailer" {
  name               = "mailer"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { AWS = "*" }
    }]
  })
}
resource "aws_iam_role_policy" "mailer" {
  role   = aws_iam_role.mailer.id
  policy = <<-JSON
    {
      "Version": "2012-10-17",
      "Statement": [{"Action": ["s3:*", "ec2:*"], "Effect": "Allow", "Resource": "*"}]
    }
  JSON
}
data "aws_iam_policy_document" "admin" {
  statement {
    actions   = ["*"]
    resources = ["*"]
  }
}
resource "aws_iam_policy" "deploy" {
  name = "deploy"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["iam:PassRole", "lambda:UpdateFunctionCode"], Resource = "*" },
    ]
  })
}
resource "aws_iam_user" "robot" {
  name = "robot"
}
resource "aws_iam_access_key" "robot" {
  user = aws_iam_user.robot.name
}
resource "aws_iam_user_policy" "robot" {
  user   = aws_iam_user.robot.name
  policy = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"ec2:*\",\"Resource\":\"*\"}]}"
}
resource "aws_iam_user_policy_attachment" "robot" {
  user       = aws_iam_user.robot.name
  policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"
}
resource "aws_iam_account_password_policy" "weak" {
  minimum_password_length = 6
}
resource "aws_kms_key" "main" {
  description = "main"
}
resource "aws_secretsmanager_secret" "api" {
  name = "api"
}
resource "aws_ssm_parameter" "password" {
  name  = "/db/password"
  type  = "String"
  value = "geheim"
}
resource "aws_cloudtrail" "all" {
  name           = "all"
  s3_bucket_name = aws_s3_bucket.reports.id
}
resource "aws_cloudwatch_log_group" "app" {
  name = "app"
}
resource "aws_sns_topic" "alerts" {
  name = "alerts"
}
module "queue" {
  source  = "./queue"
  encrypt = false
}
resource "aws_kinesis_stream" "clicks" {
  name        = "clicks"
  shard_count = 1
}
resource "aws_kinesis_firehose_delivery_stream" "clicks" {
  name        = "clicks"
  destination = "extended_s3"
}
resource "aws_msk_cluster" "bus" {
  cluster_name           = "bus"
  kafka_version          = "3.5.1"
  number_of_broker_nodes = 3
  encryption_info {
    encryption_in_transit {
      client_broker = "PLAINTEXT"
    }
  }
}
resource "aws_mq_broker" "bus" {
  broker_name         = "bus"
  engine_type         = "ActiveMQ"
  publicly_accessible = true
}
resource "aws_athena_workgroup" "bi" {
  name = "bi"
}
resource "aws_backup_vault" "all" {
  name = "all"
}
resource "aws_transfer_server" "ftp" {
  endpoint_type = "PUBLIC"
}
resource "aws_dms_replication_instance" "move" {
  replication_instance_class = "dms.t3.micro"
  replication_instance_id    = "move"
  publicly_accessible        = true
}
