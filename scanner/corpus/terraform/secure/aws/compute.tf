resource "aws_instance" "web" {
  ami                         = "ami-1"
  associate_public_ip_address = false
  metadata_options {
    http_tokens = "required"
  }
  root_block_device {
    encrypted = true
  }
  dynamic "ebs_block_device" {
    for_each = ["/dev/sdb"]
    content {
      device_name = ebs_block_device.value
      encrypted   = true
    }
  }
  user_data = <<-EOT
    #!/bin/sh
    export DB_PASSWORD=$(aws ssm get-parameter --name db)
  EOT
}
resource "aws_launch_template" "fleet" {
  metadata_options {
    http_tokens = "required"
  }
  block_device_mappings {
    ebs {
      encrypted = true
    }
  }
}
resource "aws_lambda_function" "mailer" {
  function_name = "mailer"
  tracing_config {
    mode = "Active"
  }
  environment {
    variables = {
      TABLE      = aws_dynamodb_table.orders.name
      SECRET_ARN = aws_secretsmanager_secret.api.arn
    }
  }
}
resource "aws_lambda_permission" "api" {
  principal  = "apigateway.amazonaws.com"
  source_arn = aws_api_gateway_rest_api.api.execution_arn
}
resource "aws_eks_cluster" "main" {
  enabled_cluster_log_types = ["api", "audit"]
  vpc_config {
    endpoint_public_access = false
  }
  encryption_config {
    resources = ["secrets"]
    provider {
      key_arn = aws_kms_key.main.arn
    }
  }
}
resource "aws_ecs_cluster" "apps" {
  setting {
    name  = "containerInsights"
    value = "enabled"
  }
}
resource "aws_ecs_service" "api" {
  network_configuration {
    subnets = aws_subnet.private[*].id
  }
}
resource "aws_ecs_task_definition" "api" {
  container_definitions = jsonencode([{ name = "api", image = "acme/api:1.2", environment = [{ name = "PORT", value = "80" }] }])
  volume {
    name = "data"
    efs_volume_configuration {
      file_system_id     = aws_efs_file_system.shared.id
      transit_encryption = "ENABLED"
    }
  }
}
resource "aws_ecr_repository" "api" {
  image_tag_mutability = "IMMUTABLE"
  encryption_configuration {
    encryption_type = "KMS"
  }
  image_scanning_configuration {
    scan_on_push = true
  }
}
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_flow_log" "main" {
  vpc_id       = aws_vpc.main.id
  traffic_type = "ALL"
}
resource "aws_default_security_group" "main" {
  vpc_id = aws_vpc.main.id
}
resource "aws_subnet" "private" {
  count  = 2
  vpc_id = aws_vpc.main.id
}
resource "aws_security_group" "web" {
  dynamic "ingress" {
    for_each = { https = 443, http = 80 }
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = [aws_vpc.main.cidr_block]
  }
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
resource "aws_lb" "front" {
  drop_invalid_header_fields = true
  enable_deletion_protection = true
  access_logs {
    bucket  = aws_s3_bucket.logs.id
    enabled = true
  }
}
resource "aws_lb" "network" {
  load_balancer_type         = "network"
  enable_deletion_protection = true
  access_logs {
    bucket  = aws_s3_bucket.logs.id
    enabled = true
  }
}
resource "aws_lb_listener" "front" {
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}
resource "aws_lb_target_group" "front" {
  protocol = "HTTPS"
}
resource "aws_cloudfront_distribution" "site" {
  web_acl_id = "x"
  default_cache_behavior {
    viewer_protocol_policy = "redirect-to-https"
  }
  logging_config {
    bucket = "logs.s3.amazonaws.com"
  }
  viewer_certificate {
    minimum_protocol_version = "TLSv1.2_2021"
  }
}
resource "aws_api_gateway_rest_api" "api" {
  name = "api"
}
resource "aws_api_gateway_method" "orders" {
  http_method   = "GET"
  authorization = "AWS_IAM"
}
resource "aws_api_gateway_method" "preflight" {
  http_method   = "OPTIONS"
  authorization = "NONE"
}
resource "aws_api_gateway_stage" "live" {
  xray_tracing_enabled = true
  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.app.arn
    format          = "x"
  }
}
resource "aws_iam_role" "mailer" {
  assume_role_policy = jsonencode({
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }]
  })
}
resource "aws_iam_role_policy" "mailer" {
  role = aws_iam_role.mailer.id
  policy = jsonencode({
    Statement = [
      { Effect = "Allow", Action = ["ses:SendEmail"], Resource = "arn:aws:ses:eu-west-1:123456789012:identity/acme.example" },
      { Effect = "Allow", Action = ["ec2:DescribeInstances", "logs:PutLogEvents"], Resource = "*" },
      { Effect = "Deny", Action = "*", Resource = "*" },
    ]
  })
}
resource "aws_iam_account_password_policy" "strict" {
  minimum_password_length   = 16
  password_reuse_prevention = 24
}
resource "aws_secretsmanager_secret" "api" {
  kms_key_id = aws_kms_key.main.arn
}
resource "aws_cloudtrail" "all" {
  s3_bucket_name             = aws_s3_bucket.logs.id
  kms_key_id                 = aws_kms_key.main.arn
  enable_log_file_validation = true
  is_multi_region_trail      = true
}
resource "aws_cloudwatch_log_group" "app" {
  retention_in_days = 365
  kms_key_id        = aws_kms_key.main.arn
}
